import { afterEach, expect, test } from 'vitest';
import { i18n } from '@/i18n';
import { lastWords } from './lastWords';

const last = (kind: string, lastMessage: string, lastMessageFromMe = false) => ({
  lastMessage,
  lastMessageFromMe,
  lastMessageMediaType: kind,
});

afterEach(async () => {
  await i18n.changeLanguage('pt');
});

test("the server's word for a kind is said in the reader's language", async () => {
  await i18n.changeLanguage('en');
  expect(lastWords(last('image', 'Foto'))).toBe('Photo');
  expect(lastWords(last('locationMessage', 'Localização', true))).toBe('Location');
  expect(lastWords(last('unknown', 'Mensagem não suportada'))).toBe('Unsupported message');
});

test('what somebody wrote stays as it was written', () => {
  expect(lastWords(last('conversation', 'Foto'))).toBe('Foto');
  expect(lastWords(last('image', 'Estas *aqui*'))).toBe('Estas aqui');
  expect(lastWords(last('conversation', '*Ana Prado:*\nJá vejo', true))).toBe('Já vejo');
});
