/** A count for messages: `once`, `2 times`. */
export const times = (count: number): string => (count === 1 ? "once" : `${count} times`)
