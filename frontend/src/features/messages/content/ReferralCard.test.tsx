import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '@/theme';
import { parseReferral } from '../parse';
import { ReferralCard } from './ReferralCard';

function show(told: object) {
  const referral = parseReferral(told);
  if (!referral) throw new Error('It is none.');
  return render(
    <ChakraProvider value={system}>
      <ReferralCard referral={referral} />
    </ChakraProvider>,
  ).container;
}

test('an ad is shown with its words and leads to where it stands', () => {
  const card = show({
    source_type: 'ad',
    source_id: '120',
    source_url: 'https://fb.me/3',
    headline: 'Inverno na loja',
    body: 'Tudo com 20% até domingo.',
    media_type: 'image',
    image_url: 'https://scontent.example/a.jpg',
  });
  screen.getByText('Inverno na loja');
  screen.getByText('Tudo com 20% até domingo.');
  expect(card.textContent).toContain('Veio por um anúncio');
  const link = screen.getByRole('link', { name: 'Abrir anúncio' });
  expect(link.getAttribute('href')).toBe('https://fb.me/3');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  // Nothing is fetched from the advertiser.
  expect(card.querySelector('img, video')).toBeNull();
});

test('a post is called one, and an address that is none leads nowhere', () => {
  const card = show({ source_type: 'post', headline: 'Novo', source_url: 'javascript:alert(1)' });
  expect(card.textContent).toContain('publicação');
  expect(screen.queryByRole('link')).toBeNull();
});
