import type { SystemStyleObject } from '@chakra-ui/react';
import { Global } from '@emotion/react';
import { system } from './index';

/**
 * Classes for the elements of something that a page draws many times, like a list's row. An element
 * of Chakra resolves its styles at each render; these are resolved once, and the elements are plain
 * ones. `Styles` is rendered once, before the first of them.
 */
export function makeClasses<Name extends string>(
  part: string,
  styles: Record<Name, SystemStyleObject>,
) {
  const names = Object.keys(styles) as Name[];
  const classOf = (name: Name) => `${part}-${name}`;
  const resolve = () =>
    Object.fromEntries(names.map((name) => [`.${classOf(name)}`, system.css(styles[name])]));
  let resolved: ReturnType<typeof resolve> | undefined;
  const Styles = () => <Global styles={(resolved ??= resolve())} />;
  return {
    classes: Object.fromEntries(names.map((name) => [name, classOf(name)])) as Record<Name, string>,
    Styles,
  };
}
