import type { Presence, Team } from './types';

/** Puts a presence in the place of the person's earlier one, unless it is older. */
export function foldPresence(known: Presence[], presence: Presence): Presence[] {
  const before = known.find(({ userId }) => userId === presence.userId);
  if (!before) return [...known, presence];
  // A change of a pause's end keeps its beginning.
  if (before.since > presence.since) return known;
  return known.map((each) => (each === before ? presence : each));
}

/** The same in the team's rows; a person whom the page does not know changes nothing. */
export function foldTeam(team: Team, presence: Presence): Team {
  const members = team.members.map((member) =>
    member.id === presence.userId && member.presence.since <= presence.since
      ? { ...member, presence }
      : member,
  );
  return { ...team, members };
}
