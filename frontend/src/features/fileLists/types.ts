import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type FileList = Schemas['FileList'];
export type FileListItem = Schemas['FileListItem'];
export type FileListInput = Partial<Schemas['FileListInputRequest']>;
export type FileListPage = Schemas['FileListPage'];
