/** Query keys of campaigns; all keys of one campaign begin with `one(id)`. */
export const campaignKeys = {
  all: ['campaigns'] as const,
  pages: ['campaigns', 'pages'] as const,
  one: (id: number) => ['campaigns', 'one', id] as const,
  estimate: (id: number) => ['campaigns', 'one', id, 'estimate'] as const,
  preview: (id: number, contactId: number | null) =>
    ['campaigns', 'one', id, 'preview', contactId] as const,
  settings: ['campaignSettings'] as const,
  segments: ['segments'] as const,
  segmentOptions: ['segments', 'options'] as const,
  segmentPages: ['segments', 'pages'] as const,
  segmentCount: ['segments', 'count'] as const,
};
