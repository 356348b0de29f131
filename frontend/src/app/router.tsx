import { createBrowserRouter } from 'react-router';
import { CrashPage } from '@/components/CrashPage';
import { Splash } from '@/components/Splash';
import { paths } from '@/routes/paths';

/** Each page is a lazy module that exports the page as `Component`. */
export const router = createBrowserRouter([
  {
    HydrateFallback: Splash,
    ErrorBoundary: CrashPage,
    children: [
      { path: paths.login, lazy: () => import('@/routes/login') },
      { path: paths.passwordReset, lazy: () => import('@/routes/forgetpsw') },
      { path: paths.signup, lazy: () => import('@/routes/signup') },
      {
        path: paths.home,
        lazy: () => import('@/routes/layout'),
        children: [
          {
            ErrorBoundary: CrashPage,
            children: [
              { index: true, lazy: () => import('@/routes/dashboard') },
              { path: paths.reports, lazy: () => import('@/routes/reports') },
              { path: `${paths.tickets}/:uuid?`, lazy: () => import('@/routes/tickets') },
              { path: paths.quickMessages, lazy: () => import('@/routes/quick-messages') },
              { path: paths.tasks, lazy: () => import('@/routes/todolist') },
              { path: `${paths.chats}/:uuid?`, lazy: () => import('@/routes/chats') },
              { path: paths.kanban, lazy: () => import('@/routes/kanban') },
              { path: paths.schedules, lazy: () => import('@/routes/schedules') },
              { path: paths.contacts, lazy: () => import('@/routes/contacts') },
              { path: paths.tags, lazy: () => import('@/routes/tags') },
              { path: paths.email, lazy: () => import('@/routes/email') },
              { path: paths.sentEmails, lazy: () => import('@/routes/sent-emails') },
              { path: paths.connections, lazy: () => import('@/routes/connections') },
              { path: paths.queues, lazy: () => import('@/routes/queues') },
              { path: paths.users, lazy: () => import('@/routes/users') },
              { path: paths.rules, lazy: () => import('@/routes/rules') },
              { path: paths.team, lazy: () => import('@/routes/team') },
              { path: paths.templates, lazy: () => import('@/routes/templates') },
              { path: paths.files, lazy: () => import('@/routes/files') },
              { path: paths.contactLists, lazy: () => import('@/routes/contact-lists') },
              { path: paths.contactList(':id'), lazy: () => import('@/routes/contact-list') },
              { path: paths.campaigns, lazy: () => import('@/routes/campaigns') },
              { path: paths.optOuts, lazy: () => import('@/routes/opt-outs') },
              { path: paths.campaignSettings, lazy: () => import('@/routes/campaigns-config') },
              { path: paths.campaignReport(':id'), lazy: () => import('@/routes/campaign-report') },
              { path: paths.prompts, lazy: () => import('@/routes/prompts') },
              {
                path: paths.integrations,
                lazy: () => import('@/routes/queue-integration'),
              },
              { path: paths.messagesApi, lazy: () => import('@/routes/messages-api') },
              {
                path: paths.outgoingWebhooks,
                lazy: () => import('@/routes/outgoing-webhooks'),
              },
              { path: paths.announcements, lazy: () => import('@/routes/announcements') },
              { path: paths.invoices, lazy: () => import('@/routes/financeiro') },
              { path: paths.subscription, lazy: () => import('@/routes/subscription') },
              { path: paths.costs, lazy: () => import('@/routes/costs') },
              { path: paths.auditLog, lazy: () => import('@/routes/audit-log') },
              { path: paths.helps, lazy: () => import('@/routes/helps') },
              { path: paths.settings, lazy: () => import('@/routes/settings') },
              { path: '*', lazy: () => import('@/routes/not-found') },
            ],
          },
        ],
      },
    ],
  },
]);
