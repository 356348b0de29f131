import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '@/theme';
import { pollOf } from '../parse';
import { makeMessage } from '../testData';
import type { Message } from '../types';
import { PollContent } from './Poll';

const asked = (selectable: number, options: unknown = ['Pizza', 'Salada']) =>
  JSON.stringify({ poll: { name: 'Almoço?', options, selectable } });

function show(changes: Partial<Message>) {
  const message = makeMessage(1, { body: 'Almoço?\n1. Pizza', ...changes });
  const poll = pollOf(message.dataJson);
  if (!poll) throw new Error('It is none.');
  render(
    <ChakraProvider value={system}>
      <PollContent message={message} poll={poll} />
    </ChakraProvider>,
  );
  return screen.getAllByRole('listitem').map(({ textContent }) => textContent);
}

test('a poll shows how many chose each option, and who', () => {
  const rows = show({
    dataJson: asked(1),
    pollVotes: [
      { options: [1], fromMe: false, name: 'Maria' },
      { options: [0, 1], fromMe: true, name: '' },
      { options: [1], fromMe: false, name: 'João' },
    ],
  });
  expect(rows).toEqual(['Pizza1 votoAtendimento', 'Salada3 votosMaria, Atendimento, João']);
  screen.getByText('Almoço?');
  screen.getByText('Enquete · Escolha uma opção');
  screen.getByText('3 pessoas votaram');
});

test('one that nobody voted on says so', () => {
  expect(show({ dataJson: asked(0) })).toEqual(['Pizza0 voto', 'Salada0 voto']);
  screen.getByText('Ninguém votou ainda.');
  screen.getByText('Enquete · Escolha uma ou mais opções');
});

test('of many voters the first are named', () => {
  const pollVotes = Array.from({ length: 23 }, (_, place) => ({
    options: [0],
    fromMe: false,
    name: `Pessoa ${place}`,
  }));
  const [pizza] = show({ dataJson: asked(0), pollVotes });
  expect(pizza).toContain('Pessoa 19, e mais 3');
  expect(pizza).not.toContain('Pessoa 20');
});

test('what is no poll, or has no options, is a text like any other', () => {
  const others = ['{"poll"', '{"poll":7}', '{"poll":{"options":"x"}}', asked(1, [])];
  expect([null, '', '{"other":"poll"}', ...others].map(pollOf)).toEqual(
    Array<undefined>(7).fill(undefined),
  );
});
