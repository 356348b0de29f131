import type { QuickMessage } from './types';

export const makeQuickMessage = (
  id: number,
  shortcode: string,
  fields: Partial<QuickMessage> = {},
): QuickMessage => ({
  id,
  shortcode,
  message: `Texto de ${shortcode}`,
  geral: false,
  status: true,
  mediaPath: null,
  mediaName: null,
  mediaMime: null,
  mediaSize: null,
  isMedia: false,
  userId: 7,
  companyId: 2,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...fields,
});
