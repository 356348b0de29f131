export { SentEmails as Component } from '@/features/emails/SentEmails';
