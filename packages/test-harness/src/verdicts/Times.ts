/** How often something happened, in words. */
export const times = (count: number): string => (count === 1 ? "once" : `${count} times`)
