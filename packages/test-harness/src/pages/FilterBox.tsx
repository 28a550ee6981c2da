interface FilterBoxProps {
  readonly "aria-label": string
  readonly placeholder: string
  readonly value: string
  readonly onFilter: (text: string) => void
}

/** A box for the words of a filter. */
export const FilterBox = ({ onFilter, ...box }: FilterBoxProps) => (
  <input type="search" {...box} onInput={({ currentTarget }) => onFilter(currentTarget.value)} />
)
