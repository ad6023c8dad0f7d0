"""A model for a table, proposed from what its columns hold."""

from coterie.proposal.proposal import Proposal, Reason, propose, propose_for

__all__ = ["Proposal", "Reason", "propose", "propose_for"]
