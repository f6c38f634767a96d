"""The routes of jobs."""

from rest_framework.routers import SimpleRouter

from memory.api.jobs import JobViewSet

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("jobs", JobViewSet, basename="job")

urlpatterns = router.urls
