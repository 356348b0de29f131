/** The number of page buttons on each side of the current page. */
const AROUND = 1;

/**
 * The page numbers of the buttons, with 0 for a gap: the first page, the last, and those around the
 * current one.
 */
export function pageNumbers(current: number, last: number): number[] {
  const shown = new Set([1, last]);
  for (let number = current - AROUND; number <= current + AROUND; number += 1) {
    if (number >= 1 && number <= last) shown.add(number);
  }
  const numbers = [...shown].sort((one, other) => one - other);
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? number - 1;
    if (number - before === 1) return [number];
    // A gap of one page shows that page instead.
    return number - before === 2 ? [number - 1, number] : [0, number];
  });
}
