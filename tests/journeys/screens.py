"""Every main screen and dialog, and a command that takes pictures of them.

`SCREENS=<folder> .venv/bin/python -m tests.journeys.screens [names]` fills the folder with
<screen>-<width>-<theme>.png, on a product of its own.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.journeys import (
    billing_screens,
    campaign_screens,
    chat_screens,
    connection_screens,
    contact_screens,
    desk_screens,
    inbox_screens,
    integration_screens,
    news_screens,
    operator_screens,
    page_screens,
    queue_screens,
    template_screens,
    webhook_screens,
)
from tests.journeys.conftest import FLAGS, chromium, set_newest_first
from tests.product import Product, wait_for

# Width, height and pixels for each: wide, a telephone, and the wide one at 200 %.
SIZES = ((1440, 900, 1), (390, 844, 1), (720, 450, 2))
THEMES = ("light", "dark")


def use_theme(page: Page, theme: str) -> None:
    """Change the theme where the screen stands, dialogs included, and wait for its colours."""
    page.evaluate(
        """async dark => {
            document.documentElement.classList.toggle('dark', dark);
            document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
            await new Promise(requestAnimationFrame);
            const ends = a => a.effect.getComputedTiming().iterations !== Infinity;
            const moving = document.getAnimations().filter(ends);
            await Promise.all(moving.map(a => a.finished.catch(() => null)));
            await new Promise(requestAnimationFrame);
        }""",
        theme == "dark",
    )


SCREENS: dict[str, Callable[[Page, Product], None]] = {
    "login": inbox_screens.show_login,
    "password-reset": inbox_screens.show_password_reset,
    "password-reset-code": inbox_screens.show_password_reset_code,
    "sign-up": billing_screens.show_sign_up,
    "sign-up-closed": billing_screens.show_closed_sign_up,
    "inbox": inbox_screens.show_inbox,
    "first-run": inbox_screens.show_first_run,
    "demo-banner": inbox_screens.show_demo_banner,
    "waiting": inbox_screens.show_waiting,
    "search": inbox_screens.show_search,
    "filters": inbox_screens.show_filters,
    "note": inbox_screens.show_note,
    "snooze": inbox_screens.show_snooze,
    "nothing-found": inbox_screens.show_nothing_found,
    "palette": inbox_screens.show_palette,
    "message-menu": inbox_screens.show_message_menu,
    "forward": inbox_screens.show_forward,
    "message-details": inbox_screens.show_message_details,
    "message-search": inbox_screens.show_message_search,
    "picture": inbox_screens.show_picture,
    "spy": inbox_screens.show_spy,
    "every-kind": inbox_screens.show_every_kind,
    "new-ticket": inbox_screens.show_new_ticket,
    "contact": inbox_screens.show_contact,
    "drawer": inbox_screens.show_drawer,
    "drawer-empty": inbox_screens.show_drawer_empty,
    "history": inbox_screens.show_history,
    "gallery": inbox_screens.show_gallery,
    "options": inbox_screens.show_options,
    "transfer": inbox_screens.show_transfer,
    "tag-picker": inbox_screens.show_tag_picker,
    "schedules": page_screens.show_schedules,
    "schedule-list": page_screens.show_schedule_list,
    "schedule": page_screens.show_schedule,
    "schedule-calendar": page_screens.show_schedule_calendar,
    "schedule-times": page_screens.show_schedule_times,
    "contacts": contact_screens.show_contacts,
    "contact-import": contact_screens.show_contact_import,
    "contact-file": contact_screens.show_contact_file,
    "contact-file-rows": contact_screens.show_contact_file_rows,
    "contact-deletion": contact_screens.show_contact_deletion,
    "merge": contact_screens.show_merge,
    "tags": contact_screens.show_tags,
    "tasks": page_screens.show_tasks,
    "no-tasks": page_screens.show_no_tasks,
    "messages-api": integration_screens.show_messages_api,
    "prompts": integration_screens.show_prompts,
    "prompt": integration_screens.show_prompt,
    "profile": page_screens.show_profile,
    "tag": contact_screens.show_tag,
    "dashboard": page_screens.show_dashboard,
    "company-archive": page_screens.show_company_archive,
    "company-archive-ready": page_screens.show_ready_archive,
    "audit-log": page_screens.show_audit_log,
    "reports": page_screens.show_reports,
    "report-hours": page_screens.show_report_hours,
    "report-conversations": page_screens.show_report_conversations,
    "report-activity": page_screens.show_report_activity,
    "no-reports": page_screens.show_no_reports,
    "costs": page_screens.show_costs,
    "cost-stop": page_screens.show_cost_stop,
    "email": news_screens.show_email,
    "sent-emails": news_screens.show_sent_emails,
    "sent-email": news_screens.show_sent_email,
    "invoices": page_screens.show_invoices,
    "subscription": billing_screens.show_subscription,
    "subscription-contact": billing_screens.show_subscription_contact,
    "overdue": billing_screens.show_overdue,
    "checkout-payer": billing_screens.show_checkout_payer,
    "checkout": billing_screens.show_checkout,
    "checkout-review": billing_screens.show_checkout_review,
    "pix": billing_screens.show_pix,
    "security": page_screens.show_security,
    "second-factor": page_screens.show_second_factor,
    "users": page_screens.show_users,
    "roles": page_screens.show_roles,
    "role": page_screens.show_role,
    "user": page_screens.show_user,
    "connections": connection_screens.show_connections,
    "signup": connection_screens.show_signup,
    "qr": connection_screens.show_qr,
    "connection": connection_screens.show_connection,
    "connection-test": connection_screens.show_connection_test,
    "connection-profile": connection_screens.show_connection_profile,
    "connection-health": connection_screens.show_connection_health,
    "connection-setup": connection_screens.show_connection_setup,
    "connection-messages": connection_screens.show_connection_messages,
    "connection-bot": connection_screens.show_connection_bot,
    "connection-timers": connection_screens.show_connection_timers,
    "connection-pace": connection_screens.show_connection_pace,
    "connection-api": connection_screens.show_connection_api,
    "integrations": integration_screens.show_integrations,
    "integration": integration_screens.show_integration,
    "template-list": template_screens.show_template_list,
    "template-library": template_screens.show_template_library,
    "template-library-choice": template_screens.show_library_choice,
    "template": template_screens.show_template,
    "deliveries": integration_screens.show_deliveries,
    "delivery-list": integration_screens.show_delivery_list,
    "webhooks": webhook_screens.show_webhooks,
    "no-webhooks": webhook_screens.show_no_webhooks,
    "webhook": webhook_screens.show_webhook,
    "new-webhook": webhook_screens.show_new_webhook,
    "webhook-secret": webhook_screens.show_webhook_secret,
    "webhook-log": webhook_screens.show_webhook_log,
    "bot": queue_screens.show_bot,
    "settings": page_screens.show_settings,
    "retention": page_screens.show_retention,
    "campaign-report": campaign_screens.show_campaign_report,
    "campaign-recipients": campaign_screens.show_campaign_recipients,
    "queues": queue_screens.show_queues,
    "typebot-flow": queue_screens.show_typebot_flow,
    "queue": queue_screens.show_queue,
    "distribution": desk_screens.show_distribution,
    "hands": desk_screens.show_hands,
    "rehearsal": desk_screens.show_rehearsal,
    "bot_rehearsal": desk_screens.show_bot_rehearsal,
    "rule-rehearsal": desk_screens.show_rule_rehearsal,
    "deadline-rehearsal": desk_screens.show_deadline_rehearsal,
    "rule-without-rehearsal": desk_screens.show_unrehearsed_rule,
    "team-off": desk_screens.show_team_off,
    "team": desk_screens.show_team,
    "seat": desk_screens.show_seat,
    "missed": desk_screens.show_missed,
    "deadlines": desk_screens.show_deadlines,
    "holidays": desk_screens.show_holidays,
    "rule": desk_screens.show_rule,
    "rules": desk_screens.show_rules,
    "macros": desk_screens.show_macros,
    "test-flow": queue_screens.show_test_flow,
    "test-moment": queue_screens.show_test_moment,
    "queue-colors": queue_screens.show_queue_colors,
    "queue-conflict": queue_screens.show_queue_conflict,
    "kanban": page_screens.show_kanban,
    "quick-messages": page_screens.show_quick_messages,
    "quick-message": page_screens.show_quick_message,
    "chats": chat_screens.show_chats,
    "chat-form": chat_screens.show_chat_form,
    "chat-list": chat_screens.show_chat_list,
    "announcements": news_screens.show_announcements,
    "announcement-form": news_screens.show_announcement_form,
    "announcement-list": news_screens.show_announcement_list,
    "announcement": news_screens.show_announcement,
    "helps": news_screens.show_helps,
    "help-player": news_screens.show_help_player,
    "companies": operator_screens.show_companies,
    "company": operator_screens.show_company,
    "plans": operator_screens.show_plans,
    "kept-helps": operator_screens.show_kept_helps,
    "file-lists": campaign_screens.show_file_lists,
    "file-list": campaign_screens.show_file_list,
    "contact-lists": campaign_screens.show_contact_lists,
    "opt-outs": campaign_screens.show_opt_outs,
    "contact-list": campaign_screens.show_contact_list,
    "contact-list-import": campaign_screens.show_contact_list_import,
    "campaigns": campaign_screens.show_campaigns,
    "campaign": campaign_screens.show_campaign,
    "campaign-message": campaign_screens.show_campaign_message,
    "campaign-start": campaign_screens.show_campaign_start,
    "campaign-test": campaign_screens.show_campaign_test,
    "campaign-settings": campaign_screens.show_campaign_settings,
    "campaigns-without-plan": campaign_screens.show_campaigns_without_plan,
    "campaign-settings-without-plan": campaign_screens.show_campaign_settings_without_plan,
    "campaign-variable": campaign_screens.show_campaign_variable,
    "segments": campaign_screens.show_segments,
    "segment": campaign_screens.show_segment,
    "file-list-choice": inbox_screens.show_file_list_choice,
    "quick-answers": inbox_screens.show_quick_answers,
    "captions": inbox_screens.show_captions,
    "recorder": inbox_screens.show_recorder,
    "phone": inbox_screens.show_phone,
    "interactive-kinds": inbox_screens.show_interactive_kinds,
    "interactive-list": inbox_screens.show_interactive_list,
    "interactive-products": inbox_screens.show_interactive_products,
    "interactive-sent": inbox_screens.show_interactive_sent,
    "templates": template_screens.show_templates,
    "utility-text": template_screens.show_utility_text,
    "utility-refused": template_screens.show_utility_refused,
    "owner": inbox_screens.show_owner,
    "owner-refused": inbox_screens.show_owner_refused,
    "owner-ours": inbox_screens.show_owner_ours,
    "owner-asked": inbox_screens.show_owner_asked,
}


def photograph(browser: Browser, product: Product, name: str, folder: Path) -> None:
    """Take the pictures of one screen, at all sizes in both themes."""
    for width, height, scale in SIZES:
        context = browser.new_context(
            base_url=product.address,
            locale="pt-BR",
            timezone_id="America/Sao_Paulo",
            viewport={"width": width, "height": height},
            device_scale_factor=scale,
        )
        page = context.new_page()
        SCREENS[name](page, product)
        for theme in THEMES:
            use_theme(page, theme)
            page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
        context.close()


def main(names: list[str]) -> None:
    """Start the product, take the pictures and say where they are."""
    folder = Path(os.environ["SCREENS"])
    folder.mkdir(parents=True, exist_ok=True)
    product = Product()
    try:
        wait_for(lambda: product.get("/health/ready/")[0] == 200, "a worker")
        set_newest_first(product)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            for name in names or SCREENS:
                photograph(browser, product, name, folder)
            browser.close()
    finally:
        product.remove()
    sys.stdout.write(f"{len(list(folder.glob('*.png')))} pictures in {folder}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
