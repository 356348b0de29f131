/** How many numbers stand around the page that is shown. */
const AROUND = 1;

/** The numbers of the buttons, 0 for a gap: the first, the last, and those around the one shown. */
export function pageNumbers(current: number, last: number): number[] {
  const shown = new Set([1, last]);
  for (let number = current - AROUND; number <= current + AROUND; number += 1) {
    if (number >= 1 && number <= last) shown.add(number);
  }
  const numbers = [...shown].sort((one, other) => one - other);
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? number - 1;
    if (number - before === 1) return [number];
    // A gap of one page is that page.
    return number - before === 2 ? [number - 1, number] : [0, number];
  });
}
