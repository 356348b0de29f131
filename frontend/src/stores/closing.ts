import { create } from 'zustand';
import { useSession } from './session';

/** What the company asks for when a ticket is resolved (rules/tickets §19). */
export interface ClosingRules {
  reasons: readonly string[];
  /** Names of fields that the contact must have. */
  fields: readonly string[];
}

export interface ClosingSubject {
  contactId: number;
  name: string;
  isGroup: boolean;
}

interface Question {
  subject: ClosingSubject;
  rules: ClosingRules;
  answer: (reason: string | null) => void;
}

interface ClosingState {
  question: Question | null;
}

export const useClosing = create<ClosingState>(() => ({ question: null }));

const partsOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** The rules in a company's settings. */
export function closingRules(
  settings: readonly { key: string; value: string }[],
  isGroup: boolean,
): ClosingRules {
  const valueOf = (name: string) => settings.find(({ key }) => key === name)?.value ?? '';
  return {
    reasons: partsOf(valueOf('closingReasons'), '\n'),
    fields: isGroup ? [] : partsOf(valueOf('closingFields'), ','),
  };
}

/**
 * Asks for the reason of a resolution and for missing fields; resolves to the reason, '' where the
 * company has no list, null if the user stays. Where nothing is asked for it resolves at once.
 */
export async function askClosing(subject: ClosingSubject): Promise<string | null> {
  const settings = useSession.getState().user?.company.settings ?? [];
  const rules = closingRules(settings, subject.isGroup);
  useClosing.getState().question?.answer(null);
  if (rules.reasons.length === 0 && rules.fields.length === 0) return '';
  return await new Promise((resolve) => {
    const answer = (reason: string | null) => {
      useClosing.setState({ question: null });
      resolve(reason);
    };
    useClosing.setState({ question: { subject, rules, answer } });
  });
}
