import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Tag = Schemas['Tag'];
export type TagInput = Schemas['TagInputRequest'];
export type TagsPage = Schemas['TagPage'];
export type TagPages = InfiniteData<TagsPage>;
