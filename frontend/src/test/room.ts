import { vi } from 'vitest';

/** Lets charts be drawn here, where nothing has a size: boxes are wide, words are not. */
export function giveRoom() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, 0, this.tagName === 'DIV' ? 640 : 32, 240);
  });
}
