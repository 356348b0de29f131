export { TemplatesTable as Component } from '@/features/templates/TemplatesTable';
