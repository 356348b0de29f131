"""Reads of plans, companies and invoices."""

from apps.billing.queries.plans import (
    all_plans,
    companies_for,
    company_record,
    offered_plans,
    plans_for,
    public_plans,
)

__all__ = [
    "all_plans",
    "companies_for",
    "company_record",
    "offered_plans",
    "plans_for",
    "public_plans",
]
