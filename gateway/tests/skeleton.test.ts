import { expect, test } from 'vitest';
import { until, World } from './fake/world.js';

test('a phone scans the code, then texts go both ways', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const session = balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);

  await whatsapp.write(maria, device, { conversation: 'Olá, tem pão?' });
  await until(() => session.texts.length > 0);
  expect(session.texts).toEqual(['Olá, tem pão?']);
  const sent = await balcao.command(session, 'text', {
    to: maria.number,
    id: '3EB0AAAAAAAAAAAAAAAAAA',
    body: 'Temos, sim!',
  });
  expect(sent).toMatchObject({ status: 200, body: { externalId: '3EB0AAAAAAAAAAAAAAAAAA' } });
  const text = maria.inbox.get('3EB0AAAAAAAAAAAAAAAAAA');
  expect(text?.extendedTextMessage?.text ?? text?.conversation).toBe('Temos, sim!');
  expect(whatsapp.errors).toEqual([]);
  expect(gateway.isRunning).toBe(true);
});
