import { storedFile, type ChosenFile } from '@/components/FileField';
import type { ScheduleRow } from '@/components/WorkingHours';

/** The server's limits of a queue's tree (rules/queues §2). */
export const MAX_DEPTH = 10;
export const MAX_OPTIONS = 200;
export const MAX_TITLE = 100;
export const MAX_TEXT = 4096;

/** The data that an option may ask for, in the order of the select. */
export const ASKED = ['name', 'email', 'cpf', 'phone', 'number', 'text'] as const;
export type AskedKind = (typeof ASKED)[number];
/** The kinds whose answer may be kept in the contact's own fields. */
export type OwnKind = 'name' | 'email' | 'phone';

/** Whether the answer is stored in a standard field of the contact. */
export const hasOwnField = (asks: AskedKind | ''): asks is OwnKind =>
  asks === 'name' || asks === 'email' || asks === 'phone';

/** A node of the menu while it is edited. */
export interface OptionDraft {
  /** Identifies the node while the dialog is open, whether it was saved or not. */
  key: string;
  id?: number;
  title: string;
  message: string;
  redirectionQueueId: number | null;
  /** The tag for tickets of contacts who choose it. */
  tagId: number | null;
  /** The data that its message asks for; empty for none. */
  asks: AskedKind | '';
  /** The contact's extra field for the answer; empty: the standard name or e-mail. */
  asksField: string;
  /** The questions that follow are asked with it in one form. */
  asksTogether: boolean;
  /** The file of its message; a new one is uploaded after the queue is saved. */
  file: ChosenFile | null;
  children: OptionDraft[];
}

/** A queue while it is edited, with all fields of its dialog. */
export interface QueueDraft {
  name: string;
  color: string;
  orderQueue: number | null;
  greetingMessage: string;
  completionMessage: string;
  outOfHoursMessage: string;
  ratingMessage: string;
  expireChat: boolean;
  asksTransferNote: boolean;
  schedules: ScheduleRow[];
  integrationId: number | null;
  promptId: number | null;
  options: OptionDraft[];
}

/** A node as the server sends it. */
interface OptionNode {
  id: number;
  title: string;
  message: string;
  redirectionQueueId: number | null;
  tagId: number | null;
  asks: AskedKind | '';
  asksField: string;
  asksTogether: boolean;
  mediaPath: string | null;
  mediaName: string | null;
  mediaMime: string | null;
  mediaSize: number | null;
  children: readonly OptionNode[];
}

/** A new, empty node with a key of its own. */
export function newOption(): OptionDraft {
  return {
    key: crypto.randomUUID(),
    title: '',
    message: '',
    redirectionQueueId: null,
    tagId: null,
    asks: '',
    asksField: '',
    asksTogether: false,
    file: null,
    children: [],
  };
}

/** Converts saved nodes to drafts; their keys are made from their ids. */
export function optionDrafts(nodes: readonly OptionNode[]): OptionDraft[] {
  return nodes.map((node) => ({
    key: `option-${node.id}`,
    id: node.id,
    title: node.title,
    message: node.message,
    redirectionQueueId: node.redirectionQueueId,
    tagId: node.tagId,
    asks: node.asks,
    asksField: node.asksField,
    asksTogether: node.asksTogether,
    file: storedFile(node),
    children: optionDrafts(node.children),
  }));
}

/** The change of a saved option's file: upload one, or remove the stored one. */
export interface FileChange {
  id: number;
  name: string;
  file: File | null;
}

/** The file changes of a menu that was just saved, matched node by node in the order sent. */
export function fileChanges(
  options: readonly OptionDraft[],
  saved: readonly OptionNode[],
): FileChange[] {
  return options.flatMap(({ file, children }, index) => {
    const node = saved[index];
    if (!node) return [];
    const { id, mediaPath, mediaName } = node;
    const below = fileChanges(children, node.children);
    if (file?.file) return [{ id, name: file.name, file: file.file }, ...below];
    if (!file && mediaPath) return [{ id, name: mediaName ?? '', file: null }, ...below];
    return below;
  });
}

/** The number of nodes in a tree. */
export function countOptions(options: readonly OptionDraft[]): number {
  return options.reduce((sum, { children }) => sum + 1 + countOptions(children), 0);
}

/** The number of levels of a tree; 0 if it is empty. */
export function depthOf(options: readonly OptionDraft[]): number {
  return options.reduce((deepest, { children }) => Math.max(deepest, 1 + depthOf(children)), 0);
}

/** Errors by the nodes' keys: sentences, or translation keys. */
export type OptionErrors = Readonly<Record<string, Partial<Record<OptionField, string>>>>;
const FIELDS = ['message', 'redirectionQueueId', 'tagId', 'asks', 'asksField'] as const;
export type OptionField = 'title' | (typeof FIELDS)[number] | 'children';

/**
 * The errors of the tree by node, from a refusal whose fields are named like
 * 'options.0.children.2.title', or 'options.0' for a whole node. Other fields are ignored.
 */
export function optionErrors(
  options: readonly OptionDraft[],
  fields: Readonly<Record<string, readonly string[]>>,
): OptionErrors {
  const errors: Record<string, Partial<Record<OptionField, string>>> = {};
  for (const [field, [sentence]] of Object.entries(fields)) {
    const found = nodeOfField(options, field);
    if (!found || sentence === undefined) continue;
    errors[found.key] = { ...errors[found.key], [found.field]: sentence };
  }
  return errors;
}

function nodeOfField(
  options: readonly OptionDraft[],
  path: string,
): { key: string; field: OptionField } | undefined {
  const [root, ...steps] = path.split('.');
  if (root !== 'options') return undefined;
  let level = options;
  let found: OptionDraft | undefined;
  for (const step of steps) {
    if (/^\d+$/.test(step)) {
      found = level[Number(step)];
      if (!found) return undefined;
      level = found.children;
    } else if (found && step !== 'children') {
      return { key: found.key, field: FIELDS.find((field) => field === step) ?? 'title' };
    }
  }
  return found && { key: found.key, field: steps.at(-1) === 'children' ? 'children' : 'title' };
}
