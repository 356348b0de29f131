import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Contact = Schemas['Contact'];
/** A contact in a list, with its active ticket. */
export type ListedContact = Schemas['ListedContact'];
export type ContactsPage = Schemas['ContactPage'];
export type ContactPages = InfiniteData<ContactsPage>;
export type KeptNumber = Schemas['KeptNumber'];
export type ContactInput = Schemas['ContactInputRequest'];
export type ImportedContacts = Schemas['ImportedContacts'];
export type ContactImport = Schemas['ContactImport'];
export type CurrentContactImport = Schemas['CurrentContactImport'];

export type Merge = Schemas['Merge'];
export type MergedContact = Schemas['MergedContact'];
export type PartedContacts = Schemas['PartedContacts'];

export interface DeletionResult {
  deleted: number[];
  refused: Schemas['RefusedDeletion'][];
}
