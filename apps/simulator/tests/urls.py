"""The simulator alone, mounted where the product mounts it."""

from django.urls import include, path

urlpatterns = [path("simulator", include("apps.simulator.urls"))]
