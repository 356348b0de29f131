export { AnnouncementsTable as Component } from '@/features/announcements/AnnouncementsTable';
