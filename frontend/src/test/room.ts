import { vi } from 'vitest';

/** Gives elements a size, which the test DOM does not: charts need wide boxes and narrow texts. */
export function giveRoom() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, 0, this.tagName === 'DIV' ? 640 : 32, 240);
  });
}
