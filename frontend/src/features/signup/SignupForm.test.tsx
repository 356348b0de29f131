import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Plan } from '@/lib/api/types';
import { queryClient } from '@/lib/queryClient';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { SignupForm } from './SignupForm';

const { plan } = makeUser().company;
const PLANS: Plan[] = [
  { ...plan, id: 3, name: 'Básico', value: 49.9, users: 3, useCampaigns: false },
  { ...plan, id: 4, name: 'Completo', value: 120 },
];
let sent: unknown[];
let onDone: ReturnType<typeof vi.fn<(email: string) => void>>;

function answer(status: number, body: unknown) {
  vi.stubGlobal('fetch', (_: string, { body: written }: { body: string }) => {
    sent.push(JSON.parse(written));
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
}

beforeEach(() => {
  sent = [];
  onDone = vi.fn();
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <SignupForm plans={PLANS} onDone={onDone} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});

async function fillIn() {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Nome da empresa'), ' Café da Praça ');
  await user.type(screen.getByLabelText('E-mail'), ' dona@praca.test ');
  await user.type(screen.getByLabelText('Telefone com DDD'), '(11) 98888-7777');
  await user.type(screen.getByLabelText('Senha'), 'segredo');
  return user;
}

const send = () => userEvent.click(screen.getByRole('button', { name: 'Criar conta' }));

test('a plan shows its price and what it holds', () => {
  const card = screen.getByText('Básico').closest('label');
  expect(card?.textContent).toMatch(/R\$\s49,90 por mês/);
  expect(card?.textContent).toMatch(/3 usuários · .* Inclui agendamentos, Kanban/);
  expect(card?.textContent).not.toMatch(/campanhas/);
});

test('the company is opened with the plan that was chosen', async () => {
  answer(201, { id: 9 });
  const user = await fillIn();
  await user.click(screen.getByRole('radio', { name: /Completo/ }));
  await send();
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith('dona@praca.test'));
  expect(sent).toEqual([
    {
      name: 'Café da Praça',
      email: 'dona@praca.test',
      phone: '(11) 98888-7777',
      password: 'segredo',
      planId: 4,
    },
  ]);
});

test('what is wrong is said at its field, without a call', async () => {
  answer(500, {});
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Nome da empresa'), 'A');
  await user.type(screen.getByLabelText('E-mail'), 'dona');
  await user.type(screen.getByLabelText('Telefone com DDD'), '98888-7777');
  await user.type(screen.getByLabelText('Senha'), '1234');
  await send();
  const reasons = await screen.findAllByRole('alert');
  expect(reasons.map(({ textContent }) => textContent)).toEqual([
    'Muito curto!',
    'E-mail inválido',
    'Informe o telefone com DDD',
    'Muito curto!',
  ]);
  expect(sent).toEqual([]);
});

test.each([
  ['Nome da empresa', 'ERR_COMPANY_NAME_EXISTS', 'name', 'Já existe uma empresa com este nome.'],
  ['E-mail', 'ERR_EMAIL_EXISTS', 'email', 'Este e-mail já está em uso.'],
])('a taken one is said at its field: %s', async (label, code, field, words) => {
  answer(400, { code, message: 'x', fields: { [field]: ['x'] } });
  await fillIn();
  await send();
  const reason = await screen.findByText(words);
  const input = screen.getByLabelText(label);
  expect(input.getAttribute('aria-describedby')?.split(' ')).toContain(reason.id);
  expect(document.activeElement).toBe(input);
  expect(onDone).not.toHaveBeenCalled();
});
