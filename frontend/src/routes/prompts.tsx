export { PromptsTable as Component } from '@/features/prompts/PromptsTable';
