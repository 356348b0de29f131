from django.urls import URLPattern, URLResolver

from apps.common.routing import Router

router = Router()

urlpatterns: list[URLPattern | URLResolver] = [*router.urls]
