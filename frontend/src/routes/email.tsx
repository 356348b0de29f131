export { EmailForm as Component } from '@/features/emails/EmailForm';
