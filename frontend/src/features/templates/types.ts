import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Template = Schemas['Template'];
export type TemplateInput = Schemas['TemplateDraftRequest'];
export type LibraryTemplate = Schemas['LibraryTemplate'];
export type LibraryChoice = Schemas['LibraryChoiceRequest'];
export type ButtonKind = Schemas['DraftButtonRequest']['type'];
