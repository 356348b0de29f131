import { makeClasses } from '@/theme/classes';

/** The padding at the end of the row. */
const ROW_END_PX = 16;
/** The width of the hover action from the end of the row, in px; this space is kept free. */
const ROOM = { accept: 128, resolve: 48 } as const;

const HOVERED = '.group:hover &, .group:focus-within &';
/** A touch screen has no hover: there the conversation's own buttons serve. */
const HOVER = '@media (hover: hover)';
/** The row of a ticket with unread messages. */
const UNREAD = '[data-unread] &';

const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
const column = { display: 'flex', flexDirection: 'column' } as const;
const line = { display: 'flex', alignItems: 'center', gap: '2' } as const;
const icon = { display: 'inline-flex', flexShrink: '0' } as const;

const roomFor = (action: keyof typeof ROOM) => ({
  [HOVER]: {
    [HOVERED]: {
      paddingInlineEnd: `${ROOM[action] - ROW_END_PX}px`,
      '& [data-aside]': { display: 'none' },
    },
  },
});

/** A row of a list of tickets, and the last message, which a card of the board shows as well. */
export const { classes: row, Styles: RowStyles } = makeClasses('ticket', {
  row: { position: 'relative', h: '18' },
  queue: {
    position: 'absolute',
    insetBlock: '2',
    insetStart: '0',
    w: '3px',
    zIndex: '1',
    borderEndRadius: '2px',
    bg: 'fg.subtle',
  },
  link: {
    display: 'flex',
    gap: '3',
    h: 'full',
    px: '4',
    py: '2',
    bg: 'transparent',
    outline: 'none',
    _hover: { bg: 'bg.hover' },
    '&[aria-current]': { bg: 'brand.subtle' },
    _focusVisible: { boxShadow: 'inset 0 0 0 2px {colors.brand.fg}' },
  },
  avatar: { alignSelf: 'center' },
  body: { ...column, flex: '1', minW: '0' },
  lines: column,
  accept: roomFor('accept'),
  resolve: roomFor('resolve'),
  first: { ...line, h: '5' },
  name: {
    ...cut,
    flex: '1',
    minW: '0',
    textStyle: 'md',
    fontWeight: 'medium',
    [UNREAD]: { fontWeight: 'semibold' },
  },
  time: {
    textStyle: 'xs',
    fontVariantNumeric: 'tabular-nums',
    color: 'fg.muted',
    fontWeight: 'normal',
    [UNREAD]: { color: 'brand.fg', fontWeight: 'semibold' },
  },
  second: { ...line, h: '4.5' },
  marks: { display: 'flex', gap: '1' },
  third: { ...line, h: '4.5', textStyle: 'xs', color: 'fg.muted' },
  tags: { display: 'flex', gap: '2', flex: '1', minW: '0', overflow: 'hidden' },
  responder: { display: 'inline-flex', alignItems: 'center', gap: '1', flexShrink: '0' },
  tag: { display: 'inline-flex', alignItems: 'center', gap: '1.5', minW: '0' },
  tagColour: { w: '2', h: '2', flexShrink: '0', borderRadius: '2px' },
  cut,
  rest: { flexShrink: '0' },
  connection: { ...cut, maxW: '45%', pe: '0', '[data-spy] &': { pe: '6' } },
  srOnly: { srOnly: true },
  spy: { position: 'absolute', insetEnd: '2', bottom: '0.5' },
  action: {
    position: 'absolute',
    top: '1.5',
    insetEnd: '2.5',
    opacity: '0',
    pointerEvents: 'none',
    [HOVER]: { [HOVERED]: { opacity: 1, pointerEvents: 'auto' } },
    '[data-action=accept] > &': { insetEnd: '12' },
  },
  end: {
    position: 'absolute',
    bottom: '0',
    insetStart: '68px',
    insetEnd: '0',
    borderBottomWidth: '1px',
  },

  last: {
    display: 'flex',
    alignItems: 'center',
    gap: '1',
    flex: '1',
    minW: '0',
    textStyle: 'sm',
    color: 'fg.muted',
    fontWeight: 'normal',
    '&[data-unread]': { color: 'fg.default', fontWeight: 'semibold' },
    '&[data-lines]': { alignItems: 'flex-start' },
    '&[data-failed]': { color: 'status.danger.fg' },
    '&[data-digits]': { fontVariantNumeric: 'tabular-nums' },
  },
  tick: {
    ...icon,
    color: 'fg.subtle',
    '&[data-read]': { color: 'tick.read' },
    '&[data-failed]': { color: 'status.danger.fg' },
  },
  kind: icon,
  draft: { flexShrink: '0', color: 'brand.fg', fontWeight: 'medium' },
});
