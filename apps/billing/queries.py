"""Reads of companies with their plans."""

from apps.common.errors import NotFound
from apps.companies.models import Company


def company_with_plan(company_id: int, *, own_id: int, sees_all: bool) -> Company:
    """Return a company with its plan loaded; raises NotFound for one the caller may not see."""
    company = Company.objects.select_related("plan").filter(pk=company_id).first()
    if company is None or not (sees_all or company.pk == own_id):
        raise NotFound("Empresa não encontrada.")
    return company
