/** The part of the terminal that a view fills: exactly `height` rows of exactly `columns` cells. */
export interface Area {
  readonly columns: number
  readonly height: number
}
