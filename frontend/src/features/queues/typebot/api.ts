import { useMutation } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import { newOption, type OptionDraft } from '../drafts';

type Schemas = components['schemas'];

export type TypebotMenu = Schemas['TypebotMenu'];
export type TypebotBlock = Schemas['TypebotBlock'];
type DraftOption = Schemas['DraftOption'];

/** The server takes exports up to this size. */
export const MAX_FLOW_BYTES = 4 * 1024 * 1024;

/** A file that is no JSON, or too large to be sent. */
export class NoFlow extends Error {
  constructor(readonly reason: 'notJson' | 'tooLarge') {
    super(reason);
  }
}

/** Reads an exported file as the draft of a menu; nothing is stored. */
export function useReadFlow() {
  return useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_FLOW_BYTES) throw new NoFlow('tooLarge');
      return api.post<TypebotMenu>('/typebot-flow', { flow: parsed(await file.text()) });
    },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NoFlow('notJson');
  }
}

/** The options of a read flow as nodes of the editor. */
export const draftsOf = (options: readonly DraftOption[]): OptionDraft[] =>
  options.map(({ title, message, asks, asksField, asksTogether, children }) => ({
    ...newOption(),
    title,
    message,
    asks,
    asksField,
    asksTogether,
    children: draftsOf(children),
  }));
