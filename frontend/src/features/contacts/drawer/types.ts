import type { InfiniteData } from '@tanstack/react-query';
import type { TicketsPage } from '@/features/tickets/api';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Note = Schemas['Note'];
export type GalleryPage = Schemas['GalleryPage'];
export type GalleryMessage = GalleryPage['messages'][number];
export type PastTicketPages = InfiniteData<TicketsPage>;
export type GalleryPages = InfiniteData<GalleryPage>;

export type GalleryTab = 'media' | 'files' | 'audio';
