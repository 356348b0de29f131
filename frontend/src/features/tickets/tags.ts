import type { Tag } from '@/features/tags/api';
import { foldText } from '@/lib/search';
import type { Ticket } from './types';

const MIN_NAME = 3;

/** The tags whose name contains a text, ignoring accents and case; the given ones first. */
export function matchingTags(
  tags: readonly Tag[],
  text: string,
  first: ReadonlySet<number>,
): Tag[] {
  const wanted = foldText(text);
  const found = tags.filter(({ name }) => foldText(name).includes(wanted));
  return [...found.filter(({ id }) => first.has(id)), ...found.filter(({ id }) => !first.has(id))];
}

/** The name of a new tag from a text; null if it is too short or the tag exists. */
export function creatableName(tags: readonly Tag[], text: string): string | null {
  const name = text.trim();
  if (name.length < MIN_NAME) return null;
  return tags.some((tag) => foldText(tag.name) === foldText(name)) ? null : name;
}

/** The tags of a ticket after one is toggled; a lane tag replaces another lane tag. */
export function switchTag(tags: Ticket['tags'], tag: Ticket['tags'][number]): Ticket['tags'] {
  if (tags.some(({ id }) => id === tag.id)) return tags.filter(({ id }) => id !== tag.id);
  const kept = tag.kanban ? tags.filter(({ kanban }) => !kanban) : tags;
  return [...kept, tag].sort((left, right) => left.name.localeCompare(right.name));
}
