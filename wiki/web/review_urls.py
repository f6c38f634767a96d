"""The pages of the review."""

from django.urls import path

from wiki.web import review_actions, review_views

app_name = "review"
urlpatterns = [
    path("", review_views.queue, name="queue"),
    path("approve", review_actions.approve_many, name="approve-many"),
    path("distill", review_actions.distill, name="distill"),
    path("<uuid:uid>", review_views.item, name="item"),
    path("<uuid:uid>/edit", review_views.edit, name="edit"),
    path("<uuid:uid>/approve", review_actions.approve, name="approve"),
    path("<uuid:uid>/reject", review_actions.reject, name="reject"),
    path("<uuid:uid>/skip", review_actions.skip, name="skip"),
    path("<uuid:uid>/unskip", review_actions.unskip, name="unskip"),
    path("<uuid:uid>/undo", review_actions.undo, name="undo"),
]
