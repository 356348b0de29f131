import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type ContactList = Schemas['ContactList'];
export type ContactListImport = Schemas['ContactListImport'];
export type ContactListItem = Schemas['ContactListItem'];
export type ContactListPage = Schemas['ContactListPage'];
export type ContactListItemPage = Schemas['ContactListItemPage'];
