"""Taking over quick messages, files, schedules, lists, campaigns, chats and announcements."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.db.models import F
from django.db.models.functions import Lower

from apps.announcements.models import Announcement, Help
from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    ContactList,
    ContactListItem,
)
from apps.chat.models import Chat, ChatMember, ChatMessage
from apps.common.search import fold
from apps.library.models import FileList, FileListItem, QuickMessage
from apps.movein.mapping import extras as mapping
from apps.movein.mapping.messages import name_of_file
from apps.movein.mapping.values import key, text, times, whole
from apps.movein.readers import Row
from apps.movein.services.companies import insert_numbered, of_companies, own
from apps.movein.services.media import brought
from apps.movein.services.run import Key, Ref, Run
from apps.schedules.models import Schedule


def take_quick_messages(run: Run, rows: list[Row]) -> None:
    """Take quick messages; of one owner and shortcode there is one, and others are renamed."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        rows = QuickMessage.objects.annotate(low=Lower("shortcode")).filter(
            user__in={each[0] for each in keys}, low__in={each[1] for each in keys}
        )
        return {(user, low): pk for user, low, pk in rows.values_list("user_id", "low", "pk")}

    users = run.refs("Users", (each.get("userId") for each in rows))
    numbers = run.number(QuickMessage, [each["id"] for each in rows], table="QuickMessages")
    made = []
    for row, company in of_companies(run, rows):
        fields = mapping.quick_message_of(row, run.remarks, run.now)
        user = own(users.get(key(row.get("userId")) or 0), company)
        code = fields["shortcode"]
        if user is not None:
            fields["shortcode"] = run.free_name("shortcode", user, code, 50, stored)
            run.hold("shortcode", (user, fields["shortcode"].lower()), numbers[row["id"]])
        if fields["shortcode"] != code:
            run.remarks.add("renamed", f"/{code} → /{fields['shortcode']}")
        pk = numbers[row["id"]]
        quick = QuickMessage(
            pk=pk, company_id=company, user_id=user, is_shared=user is None, **fields
        )
        quick.put_media(
            brought(
                run,
                company,
                row.get("mediaPath"),
                row.get("mediaName"),
                folders=("quickMessage", ""),
            )
        )
        quick.search_text = fold(f"{quick.shortcode} {quick.message} {quick.media_name}")
        made.append(quick)
        run.remember("QuickMessages", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_file_lists(run: Run, rows: list[Row]) -> None:
    numbers = run.number(FileList, [each["id"] for each in rows], table="Files")
    ids = [each["id"] for each in rows]
    options: dict[int, list[Row]] = defaultdict(list)
    for each in run.reader.find("FilesOptions", "fileId", ids, order=("fileId", "id")):
        options[each["fileId"]].append(each)
    made, items = [], []
    for row, company in of_companies(run, rows):
        pk = numbers[row["id"]]
        listed = FileList(
            pk=pk, company_id=company, **mapping.file_list_of(row, run.remarks, run.now)
        )
        listed.search_text = fold(f"{listed.name} {listed.message}")
        made.append(listed)
        run.remember("Files", row["id"], pk, company)
        folders = (f"fileList/{row['id']}", "")
        for position, each in enumerate(options[row["id"]], 1):
            item = FileListItem(
                file_list_id=pk, name=text(each.get("name"), 255), position=position
            )
            item.put_media(
                brought(run, company, each.get("path"), each.get("path"), folders=folders)
            )
            items.append(item)
    run.insert(made)
    insert_numbered(run, items)
    run.count(made=len(made))
    run.count("FilesOptions", read=sum(map(len, options.values())), made=len(items))


def take_schedules(run: Run, rows: list[Row]) -> None:
    contacts = run.refs("Contacts", (each.get("contactId") for each in rows))
    tickets = run.refs("Tickets", (each.get("ticketId") for each in rows))
    users = run.refs("Users", (each.get("userId") for each in rows))
    numbers = run.number(Schedule, [each["id"] for each in rows], table="Schedules")
    made = []
    for row in rows:
        contact = contacts.get(key(row.get("contactId")) or 0)
        fields = mapping.schedule_of(row, run.remarks, run.now)
        if contact is None or contact.company_id is None or fields is None:
            run.leave("schedule_without_contact", row["id"])
            continue
        company, pk = contact.company_id, numbers[row["id"]]
        schedule = Schedule(
            pk=pk,
            company_id=company,
            contact_id=contact.our_id,
            ticket_id=own(tickets.get(key(row.get("ticketId")) or 0), company),
            user_id=own(users.get(key(row.get("userId")) or 0), company),
            search_text=fold(fields["body"]),
            **fields,
        )
        schedule.put_media(brought(run, company, row.get("mediaPath"), row.get("mediaName")))
        made.append(schedule)
        run.remember("Schedules", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_lists(run: Run, rows: list[Row]) -> None:
    numbers = run.number(ContactList, [each["id"] for each in rows], table="ContactLists")
    made = []
    for row, company in of_companies(run, rows):
        pk = numbers[row["id"]]
        listed = ContactList(
            pk=pk, company_id=company, **mapping.list_of(row, run.remarks, run.now)
        )
        listed.search_text = fold(listed.name)
        made.append(listed)
        run.remember("ContactLists", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_items(run: Run, rows: list[Row]) -> None:
    """Take people of lists; of one list and canonical number there is one."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        found = ContactListItem.objects.filter(
            contact_list__in={each[0] for each in keys},
            canonical_number__in={each[1] for each in keys},
        ).values_list("contact_list_id", "canonical_number", "pk")
        return {(listed, number): pk for listed, number, pk in found}

    lists = run.refs("ContactLists", (each.get("contactListId") for each in rows))
    numbers = run.number(ContactListItem, [each["id"] for each in rows], table="ContactListItems")
    told: list[tuple[Row, Ref, dict[str, Any]]] = []
    for row in rows:
        listed = lists.get(key(row.get("contactListId")) or 0)
        fields = mapping.item_of(row, run.remarks, run.now)
        if listed is None or listed.company_id is None or fields is None:
            run.leave("person_without_number_or_list", row["id"])
        else:
            told.append((row, listed, fields))
    wanted = {(listed.our_id, fields["canonical_number"]) for _, listed, fields in told}
    known = run.holders("item", wanted, stored)
    made = []
    for row, listed, fields in told:
        name = (listed.our_id, fields["canonical_number"])
        pk = known.get(name)
        if pk is not None:
            run.remarks.add("person_repeated")
            run.count(merged=1)
        else:
            pk = known[name] = numbers[row["id"]]
            run.hold("item", name, pk)
            item = ContactListItem(
                pk=pk, company_id=listed.company_id or 0, contact_list_id=listed.our_id, **fields
            )
            item.fold_text()
            made.append(item)
        run.remember("ContactListItems", row["id"], pk, listed.company_id)
    run.insert(made)
    run.count(made=len(made))
    if not run.is_dry:
        for list_id, number in Counter(each.contact_list_id for each in made).items():
            ContactList.objects.filter(pk=list_id).update(
                contacts_count=F("contacts_count") + number
            )


def take_campaigns(run: Run, rows: list[Row]) -> None:
    lists = run.refs("ContactLists", (each.get("contactListId") for each in rows))
    files = run.refs("Files", (each.get("fileListId") for each in rows))
    lines = run.refs("Whatsapps", (each.get("whatsappId") for each in rows))
    numbers = run.number(Campaign, [each["id"] for each in rows], table="Campaigns")
    made = []
    for row, company in of_companies(run, rows):
        pk = numbers[row["id"]]
        campaign = Campaign(
            pk=pk,
            company_id=company,
            contact_list_id=own(lists.get(key(row.get("contactListId")) or 0), company),
            file_list_id=own(files.get(key(row.get("fileListId")) or 0), company),
            connection_id=own(lines.get(key(row.get("whatsappId")) or 0), company),
            **mapping.campaign_of(row, run.remarks, run.now),
        )
        campaign.search_text = fold(campaign.name)
        campaign.put_media(brought(run, company, row.get("mediaPath"), row.get("mediaName")))
        made.append(campaign)
        run.remember("Campaigns", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_recipients(run: Run, rows: list[Row]) -> None:
    """Take whom campaigns wrote to; of one campaign and canonical number there is one."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        found = CampaignRecipient.objects.filter(
            campaign__in={each[0] for each in keys},
            canonical_number__in={each[1] for each in keys},
        ).values_list("campaign_id", "canonical_number", "pk")
        return {(campaign, number): pk for campaign, number, pk in found}

    campaigns = run.refs("Campaigns", (each.get("campaignId") for each in rows))
    people = {
        each["id"]: each
        for each in run.reader.find(
            "ContactListItems",
            "id",
            sorted({each["contactId"] for each in rows if each.get("contactId") is not None}),
        )
    }
    states = dict(
        Campaign.objects.filter(pk__in={each.our_id for each in campaigns.values()}).values_list(
            "pk", "status"
        )
    )
    told: list[tuple[Row, Ref, dict[str, Any]]] = []
    for row in rows:
        campaign = campaigns.get(key(row.get("campaignId")) or 0)
        fields = mapping.recipient_of(row)
        if campaign is None or campaign.company_id is None or fields is None:
            run.leave("recipient_without_campaign", row["id"])
        else:
            told.append((row, campaign, fields))
    wanted = {(campaign.our_id, fields["canonical_number"]) for _, campaign, fields in told}
    known = run.holders("recipient", wanted, stored)
    made = []
    for pk, (row, campaign, fields) in zip(
        run.fresh(CampaignRecipient, len(told)), told, strict=True
    ):
        name = (campaign.our_id, fields["canonical_number"])
        if name in known:
            run.remarks.add("recipient_repeated")
            run.count(merged=1)
            continue
        known[name] = pk
        run.hold("recipient", name, pk)
        person = people.get(row.get("contactId") or 0, {})
        if fields["state"] == "pending":
            # A finished campaign of ours has nobody left to write to.
            if states.get(campaign.our_id) == CampaignStatus.FINISHED:
                fields["state"] = "skipped"
            run.remarks.add("recipient_unsent")
        recipient = CampaignRecipient(
            pk=pk,
            company_id=campaign.company_id or 0,
            campaign_id=campaign.our_id,
            name=text(person.get("name"), 200).strip() or fields["number"],
            email=text(person.get("email"), 254) if "@" in text(person.get("email")) else "",
            **fields,
        )
        recipient.fold_text()
        made.append(recipient)
    run.insert(made)
    run.count(made=len(made))
    if not run.is_dry:
        for campaign_id, number in Counter(each.campaign_id for each in made).items():
            Campaign.objects.filter(pk=campaign_id).update(
                recipients_count=F("recipients_count") + number
            )


def take_chats(run: Run, rows: list[Row]) -> None:
    """Take chats with their members; one whose owner is gone belongs to a member."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        found = Chat.objects.filter(uuid__in=[each[0] for each in keys])
        return {(str(name),): pk for name, pk in found.values_list("uuid", "pk")}

    told = run.reader.find(
        "ChatUsers", "chatId", [each["id"] for each in rows], order=("chatId", "id")
    )
    users = run.refs(
        "Users", [*(each.get("ownerId") for each in rows), *(each.get("userId") for each in told)]
    )
    members: dict[int, list[Row]] = defaultdict(list)
    for each in told:
        members[each["chatId"]].append(each)
    numbers = run.number(Chat, [each["id"] for each in rows], table="Chats")
    made, joined = [], []
    for row, company in of_companies(run, rows):
        fields = mapping.chat_of(row, run.remarks, run.now)
        people: dict[int, int] = {}
        for each in members[row["id"]]:
            user = own(users.get(key(each.get("userId")) or 0), company)
            if user is not None:
                people.setdefault(user, whole(each.get("unreads")))
        owner = own(users.get(key(row.get("ownerId")) or 0), company) or next(iter(people), None)
        if owner is None:
            run.leave("chat_without_people", fields["title"])
            continue
        people.setdefault(owner, 0)
        name = (str(fields["uuid"]),)
        if fields["uuid"] is None or run.holders("chat", [name], stored):
            fields["uuid"] = uuid4()
        pk = numbers[row["id"]]
        run.hold("chat", (str(fields["uuid"]),), pk)
        made.append(Chat(pk=pk, company_id=company, owner_id=owner, **fields))
        joined += [
            ChatMember(company_id=company, chat_id=pk, user_id=user, unreads=unreads)
            for user, unreads in people.items()
        ]
        run.remember("Chats", row["id"], pk, company)
    run.insert(made)
    insert_numbered(run, joined)
    run.count(made=len(made))
    run.count("ChatUsers", read=len(told), made=len(joined))


def take_chat_messages(run: Run, rows: list[Row]) -> None:
    chats = run.refs("Chats", (each.get("chatId") for each in rows))
    users = run.refs("Users", (each.get("senderId") for each in rows))
    told = run.reader.find("Users", "id", sorted(users))
    names = {each["id"]: text(each.get("name"), 50) for each in told}
    numbers = run.number(ChatMessage, [each["id"] for each in rows], table="ChatMessages")
    made = []
    for row in rows:
        chat = chats.get(key(row.get("chatId")) or 0)
        if chat is None or chat.company_id is None:
            run.leave("chat_message_without_chat", row["id"])
            continue
        pk = numbers[row["id"]]
        message = ChatMessage(
            pk=pk,
            company_id=chat.company_id,
            chat_id=chat.our_id,
            sender_id=own(users.get(key(row.get("senderId")) or 0), chat.company_id),
            sender_name=names.get(row.get("senderId") or 0, "") or "?",
            message=text(row.get("message")),
            **times(row, run.now),
        )
        message.put_media(brought(run, chat.company_id, row.get("mediaPath"), row.get("mediaName")))
        if not message.media_path and not message.message:
            # A file that is not there leaves its name.
            message.message = text(row.get("mediaName"), 255) or name_of_file(
                text(row.get("mediaPath"))
            )
        if not message.message and not message.media_path:
            run.leave("chat_message_empty", row["id"])
            continue
        made.append(message)
        run.remember("ChatMessages", row["id"], pk, chat.company_id)
    run.insert(made)
    run.count(made=len(made))
    if not run.is_dry:
        for chat_id, number in Counter(each.chat_id for each in made).items():
            Chat.objects.filter(pk=chat_id).update(message_count=F("message_count") + number)


def take_announcements(run: Run, rows: list[Row]) -> None:
    numbers = run.number(Announcement, [each["id"] for each in rows], table="Announcements")
    made = []
    for row in rows:
        pk = numbers[row["id"]]
        told = Announcement(pk=pk, **mapping.announcement_of(row, run.remarks, run.now))
        told.search_text = fold(f"{told.title} {told.text}")
        told.put_media(brought(run, 1, row.get("mediaPath"), row.get("mediaName")))
        made.append(told)
        run.remember("Announcements", row["id"], pk, None)
    run.insert(made)
    run.count(made=len(made))


def take_helps(run: Run, rows: list[Row]) -> None:
    numbers = run.number(Help, [each["id"] for each in rows], table="Helps")
    made = []
    for row in rows:
        fields = mapping.help_of(row, run.remarks, run.now)
        if fields is None:
            run.leave("help_without_film", row.get("title"))
            continue
        pk = numbers[row["id"]]
        told = Help(pk=pk, **fields)
        told.search_text = fold(f"{told.title} {told.description}")
        made.append(told)
        run.remember("Helps", row["id"], pk, None)
    run.insert(made)
    run.count(made=len(made))
