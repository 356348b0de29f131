"""The size of a run: companies, people, sockets, messages, and how all of it is shrunken."""

from dataclasses import dataclass

# What `make load` takes, unless told otherwise.
MINUTES, SOCKETS, RATE = 10.0, 1_000, 100.0
COMPANIES, AGENTS = 50, 200
TICKETS, MESSAGES_PER_TICKET = 400, 25
# A faulty Redis or provider, as issued; a small run has no time for it.
FAULT_SECONDS = 20.0
LEAST_MINUTES = 0.5


@dataclass(frozen=True)
class Size:
    """`rate` are messages in, a second; `tickets` is what each company has at the start.

    An agent is one of a company's people and takes a turn every `turn_seconds` on average.
    """

    companies: int
    sockets: int
    agents: int
    rate: float
    seconds: float
    tickets: int
    fault_seconds: float
    # Messages in, a second, of those in `rate` that come through the gateway.
    qr_rate: float
    contacts: int = 100
    turn_seconds: float = 20.0
    is_small: bool = False

    @property
    def people(self) -> int:
        """Return how many people, each with a socket, a company has."""
        return max(1, self.sockets // self.companies)

    @property
    def agents_each(self) -> int:
        """Return how many of a company's people work."""
        return min(self.people, max(1, self.agents // self.companies))

    def line(self) -> str:
        return (
            f"{self.people * self.companies:,} sockets of {self.companies} companies, "
            f"{self.agents_each * self.companies} agents, {self.rate:g} messages in a second "
            f"for {self.seconds:.0f} s; {self.tickets * self.companies:,} tickets and "
            f"{self.tickets * self.companies * MESSAGES_PER_TICKET:,} messages at the start"
        )


def size_of(
    *, minutes: float = MINUTES, sockets: int = SOCKETS, rate: float = RATE, shrink: int = 1
) -> Size:
    """Return the size of a run; `shrink` divides everything, down to half a minute."""
    companies = max(2, COMPANIES // shrink)
    return Size(
        companies=companies,
        sockets=max(companies * 2, sockets // shrink),
        agents=max(companies, AGENTS // shrink),
        rate=max(1.0, rate / shrink),
        seconds=max(LEAST_MINUTES, minutes / shrink) * 60,
        tickets=max(40, TICKETS // shrink),
        fault_seconds=FAULT_SECONDS if shrink == 1 else 3.0,
        qr_rate=max(0.5, rate / shrink / 50),
        turn_seconds=20.0 if shrink == 1 else 5.0,
        is_small=shrink > 1,
    )
