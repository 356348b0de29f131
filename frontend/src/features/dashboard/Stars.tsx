import { chakra } from '@chakra-ui/react';
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const PLACES = [1, 2, 3];
const rounded = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/** A mean of 1 to 3 as stars, the last one partly filled; a dash without ratings. */
export function Stars({ rating }: { rating: number }) {
  const { t } = useTranslation('dashboard');
  if (rating === 0)
    return (
      <chakra.span color="fg.muted">
        <span aria-hidden>–</span>
        <chakra.span srOnly>{t('stars.none')}</chakra.span>
      </chakra.span>
    );
  const words = t('stars.of', { rating: rounded.format(rating) });
  return (
    <chakra.span
      role="img"
      aria-label={words}
      data-tooltip={words}
      display="inline-flex"
      gap="0.5"
      verticalAlign="middle"
    >
      {PLACES.map((place) => (
        <chakra.span key={place} position="relative" display="inline-flex" color="border.control">
          <Star size={16} aria-hidden />
          <chakra.span
            position="absolute"
            inset="0"
            overflow="hidden"
            color="status.waiting.solid"
            style={{ width: `${Math.max(0, Math.min(1, rating - place + 1)) * 100}%` }}
          >
            <Star size={16} fill="currentColor" aria-hidden />
          </chakra.span>
        </chakra.span>
      ))}
    </chakra.span>
  );
}
