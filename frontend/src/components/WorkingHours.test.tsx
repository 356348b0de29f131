import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { defaultHours } from '@/lib/hours';
import { system } from '@/theme';
import { WorkingHours } from './WorkingHours';

afterEach(cleanup);

function Hours() {
  const [rows, setRows] = useState(defaultHours);
  return (
    <ChakraProvider value={system}>
      <WorkingHours value={rows} onChange={setRows} />
    </ChakraProvider>
  );
}

const end = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

it('moves the times of every period by a quarter of an hour with the arrow keys', async () => {
  render(<Hours />);
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Segunda-feira: outro período' }));
  for (const name of ['Segunda-feira: fim', 'Segunda-feira: fim do período 2']) {
    const before = end(name).value;
    await person.click(end(name));
    await person.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    expect(minutes(before) - minutes(end(name).value)).toBe(15);
  }
});

it('tidies a time of a further period when its field is left', async () => {
  render(<Hours />);
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Segunda-feira: outro período' }));
  await person.clear(end('Segunda-feira: fim do período 2'));
  await person.type(end('Segunda-feira: fim do período 2'), '2015');
  await person.tab();
  expect(end('Segunda-feira: fim do período 2').value).toBe('20:15');
});
