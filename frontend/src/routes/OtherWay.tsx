import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';

const StyledLink = chakra(Link, {
  base: {
    color: 'brand.fg',
    fontWeight: 'semibold',
    borderRadius: 'sm',
    _hover: { textDecoration: 'underline' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '2px' },
  },
});

interface OtherWayProps {
  question?: string;
  link: string;
  to: string;
}

/** A link below a form of the public pages to another public page. */
export function OtherWay({ question, link, to }: OtherWayProps) {
  return (
    <chakra.p textStyle="sm" color="fg.muted" textAlign="center">
      {question && `${question} `}
      <StyledLink to={to} display="inline-block" py="1">
        {link}
      </StyledLink>
    </chakra.p>
  );
}
