export { SchedulesPage as Component } from '@/features/schedules/SchedulesPage';
