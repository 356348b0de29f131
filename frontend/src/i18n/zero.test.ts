import { expect, test } from 'vitest';
import { i18n } from './index';

const none = { count: 0, shown: '0', messages: '0', load: '0', matched: '0' };

test.each([
  ['costs:meter.noAllowance', /^0 mensagens de/],
  ['costs:meter.counted', /^0 mensagens de/],
  ['costs:automatic.counts', /^0 entregues,/],
  ['costs:automatic.saves', /: 0 mensagens,/],
  ['dashboard:hours.tickets', /^0 atendimentos$/],
  ['deadlines:report.met', /^0 cumpridos$/],
  ['desk:team.loadOnly', /^0 pontos$/],
  ['rehearsals:found.assignment', /, 0 esperaram/],
  ['rehearsals:found.sla', /, 0 teriam estes prazos/],
  ['rehearsals:found.rule', / vezes no total/],
  ['rehearsals:found.bot', /, o bot começou 0;/],
  ['rehearsals:bot.ends.people', /, em 0 passos$/],
  ['reports:times.cell', /: 0 conversas$/],
  ['roles:allows', /^0 permissões$/],
  ['rules:ran', /^Rodou 0 vezes/],
])('none is said in the plural of Portuguese: %s', (key, words) => {
  // Its plural rules, by which 0 is 'one', are those of written grammar.
  expect(i18n.t(key, none)).toMatch(words);
});
