import type { OptionDraft } from '../drafts';

/**
 * A question with those that follow it: each is the only child of the one before and has no file,
 * which a form can't show.
 */
export function questionsFrom(first: OptionDraft): OptionDraft[] {
  const questions = [first];
  for (let [child, ...others] = first.children; child?.asks && !child.file && !others.length;) {
    questions.push(child);
    [child, ...others] = child.children;
  }
  return questions;
}
