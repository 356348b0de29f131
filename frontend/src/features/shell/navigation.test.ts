import { Star } from 'lucide-react';
import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { entryOfPath, isVisible, visibleGroups, type NavigationEntry } from './navigation';
import { needsAttention } from './useConnectionWarning';

const ids = (user: ReturnType<typeof makeUser>) =>
  visibleGroups(user).flatMap(({ entries }) => entries.map(({ id }) => id));

test('the administration block needs the admin-items permission', () => {
  const groups = (user: ReturnType<typeof makeUser>) =>
    visibleGroups(user).map(({ group }) => group);
  expect(ids(makeUser())).toEqual(expect.arrayContaining(['tickets', 'connections', 'users']));
  expect(groups(makeUser())).toContain('administration');
  expect(groups(makeUser({ permissions: [] }))).not.toContain('administration');
  expect(ids(makeUser({ permissions: [] }))).toContain('tickets');
});

test('groups without entries are not shown', () => {
  const groups = visibleGroups(makeUser({ permissions: [] })).map(({ group }) => group);
  expect(groups).toEqual(['service', 'contacts', 'help']);
});

test('an entry can depend on the plan and on the super user', () => {
  const entry: NavigationEntry = { id: 'x', path: '/x', group: 'campaigns', icon: Star };
  const { company } = makeUser();
  const plan = { ...company.plan, useIntegrations: false };
  const poor = makeUser({ company: { ...company, plan } });
  expect(isVisible({ ...entry, planFlag: 'useIntegrations' }, poor)).toBe(false);
  expect(isVisible({ ...entry, planFlag: 'useIntegrations' }, makeUser())).toBe(true);
  expect(isVisible({ ...entry, superOnly: true }, makeUser())).toBe(false);
  expect(isVisible({ ...entry, superOnly: true }, makeUser({ super: true }))).toBe(true);
});

test.each([
  ['kanban', 'useKanban'],
  ['schedules', 'useSchedules'],
  ['chats', 'useInternalChat'],
  ['campaigns', 'useCampaigns'],
  ['contactLists', 'useCampaigns'],
  ['optOuts', 'useCampaigns'],
  ['campaignSettings', 'useCampaigns'],
  ['prompts', 'useOpenAi'],
  ['integrations', 'useIntegrations'],
  ['messagesApi', 'useExternalApi'],
] as const)('%s stands in the menu if the plan has %s', (id, flag) => {
  const { company } = makeUser();
  const plan = { ...company.plan, [flag]: false };
  expect(ids(makeUser())).toContain(id);
  expect(ids(makeUser({ company: { ...company, plan } }))).not.toContain(id);
});

test('the team stands in the menu where the company distributes', () => {
  const { company } = makeUser();
  const settings = [{ key: 'assignment', value: 'enabled' }];
  expect(ids(makeUser())).not.toContain('team');
  expect(ids(makeUser({ company: { ...company, settings } }))).toContain('team');
});

test('who changes rules and no settings finds the rules before they are switched on', () => {
  const { company } = makeUser();
  const settings = [{ key: 'macros', value: 'enabled' }];
  const alone = makeUser({ granted: ['rules:manage'], pages: [] });
  expect(ids(alone)).toContain('rules');
  // Where the settings page has them, or they are nobody's yet, the menu stays as it was.
  expect(ids(makeUser())).not.toContain('rules');
  expect(ids(makeUser({ profile: 'user' }))).not.toContain('rules');
  expect(ids(makeUser({ profile: 'user', company: { ...company, settings } }))).toContain('rules');
});

test('a path below an entry belongs to it', () => {
  expect(entryOfPath('/tickets/3f2a')?.id).toBe('tickets');
  expect(entryOfPath('/ticketsx')).toBeUndefined();
});

test('the warning badge knows the troubled statuses', () => {
  const troubled = ['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING'];
  expect(troubled.every(needsAttention)).toBe(true);
  expect(needsAttention('CONNECTED')).toBe(false);
});
