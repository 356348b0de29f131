export { TagsTable as Component } from '@/features/tags/TagsTable';
