"""The chart in deploy/helm, rendered by Helm's own engine and held against Kubernetes' schemas."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import helm_python
import jsonschema
import pytest
import yaml

from config import variables
from config.serve import ENDING_DRAINED_SECONDS
from tests.product import ROOT

pytestmark = pytest.mark.sources

CHART = ROOT / "deploy" / "helm"
SCHEMAS = json.loads((ROOT / "deploy" / "schemas.json").read_text())
NEEDED: dict[str, Any] = {
    "env": {"PUBLIC_URL": "https://balcao.example.com"},
    "secretName": "balcao",
    "trustedProxies": ["10.0.0.0/8"],
}
WHOLE: dict[str, Any] = {
    **NEEDED,
    "image": {"digest": f"sha256:{'a' * 64}"},
    "imagePullSecrets": [{"name": "registry"}],
    "gateway": {"replicas": 2, "nodeSelector": {"disk": "fast"}},
    "ingress": {"enabled": True, "className": "traefik", "tlsSecretName": "tls"},
    "route": {"enabled": True, "parentRefs": [{"name": "edge"}]},
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
    "networkPolicy": {"fromIngress": {"matchLabels": {"name": "ingress"}}},
    "web": {"autoscaling": {"enabled": True}, "podAnnotations": {"a": "b"}},
    "worker": {"autoscaling": {"enabled": True}, "tolerations": [{"operator": "Exists"}]},
    "sender": {"autoscaling": {"enabled": True}},
}
S3 = {**NEEDED, "env": {**NEEDED["env"], "S3_BUCKET": "media"}}
PODS = {"front", "web", "realtime", "worker", "sender", "beat"}

Resource = dict[str, Any]


def rendered(values: dict[str, Any]) -> dict[tuple[str, str], Resource]:
    """Return the resources of a release `b` by kind and name, and the hooks with them."""
    with helm_python.Chart.load(CHART) as chart:
        files = chart.render(values, name="b", namespace="prod")
    found: dict[tuple[str, str], Resource] = {}
    for name, text in files.items():
        for each in yaml.safe_load_all(text) if name.endswith(".yaml") else ():
            if each is not None:
                key = (each["kind"], each["metadata"]["name"].removeprefix("b-balcao-"))
                assert key not in found
                found[key] = each
    return found


def pods(resources: dict[tuple[str, str], Resource]) -> Iterator[tuple[str, Resource]]:
    """Give the name and specification of each kind of pod."""
    for (kind, name), each in resources.items():
        if kind in {"Deployment", "Job"}:
            yield name, each["spec"]["template"]["spec"]
        elif kind == "Pod":
            yield name, each["spec"]


def environment(resources: dict[tuple[str, str], Resource], component: str) -> dict[str, Any]:
    [container] = resources["Deployment", component]["spec"]["template"]["spec"]["containers"]
    return {each["name"]: each.get("value") for each in container["env"]}


@pytest.mark.parametrize("values", [NEEDED, WHOLE, S3], ids=["needed", "whole", "s3"])
def test_the_chart_is_clean_and_every_resource_follows_the_schemas(values: dict[str, Any]) -> None:
    report = helm_python.lint(CHART, values, strict=True)
    assert report["errors"] == []
    assert [each for each in report["messages"] if each["severity"] > 1] == []
    for (kind, name), each in rendered(values).items():
        schema = SCHEMAS["kinds"][f"{each['apiVersion']} {kind}"]
        whole = {**schema, "definitions": SCHEMAS["definitions"]}
        for error in jsonschema.Draft7Validator(whole).iter_errors(each):
            raise AssertionError(f"{kind} {name}: {error.json_path}: {error.message}")


def test_a_misspelt_field_would_be_seen() -> None:
    wrong = copy.deepcopy(rendered(NEEDED)["Deployment", "web"])
    wrong["spec"]["template"]["spec"]["containers"][0]["livenesProbe"] = {}
    schema = SCHEMAS["kinds"]["apps/v1 Deployment"]
    with pytest.raises(jsonschema.ValidationError, match="livenesProbe"):
        jsonschema.validate(wrong, {**schema, "definitions": SCHEMAS["definitions"]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"env": {}}, "PUBLIC_URL"),
        ({"env": {**NEEDED["env"], "SECRET_KEY": "x"}}, "SECRET_KEY"),
        ({"env": {**NEEDED["env"], "TRUSTED_PROXIES": "x"}}, "TRUSTED_PROXIES"),
        ({"env": {**NEEDED["env"], "TRAIL_DAYS": 7}}, "TRAIL_DAYS"),
        ({"secretName": ""}, "secretName"),
        ({"trustedProxies": []}, "trustedProxies"),
        ({"trustedProxies": ["everybody"]}, "everybody"),
        ({"image": {"digest": "latest"}}, "digest"),
        ({"beat": {"replicas": 2}}, "replicas"),
        ({"wroker": {}}, "wroker"),
    ],
)
def test_a_wrong_value_is_refused_by_its_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(helm_python.HelmError, match=message):
        rendered({**NEEDED, **change})


def test_every_variable_has_its_place() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    names = set(schema["properties"]["env"]["propertyNames"]["enum"])
    apart = variables.SECRET | variables.SET_BY_CHART
    assert not names & apart
    left = set(variables.NAMES) - names - apart
    assert left == variables.NOT_IN_CONTAINERS - {"WHATSAPP_VERSION"}


def test_the_image_is_that_of_this_version_or_a_digest() -> None:
    [web] = rendered(NEEDED)["Deployment", "web"]["spec"]["template"]["spec"]["containers"]
    assert web["image"] == f"balcao:{(ROOT / 'VERSION').read_text().strip()}"
    [web] = rendered(WHOLE)["Deployment", "web"]["spec"]["template"]["spec"]["containers"]
    assert web["image"] == f"balcao@sha256:{'a' * 64}"


def test_no_pod_may_more_than_it_needs() -> None:
    seen = set()
    for name, pod in pods(rendered(WHOLE)):
        seen.add(name)
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        [container] = pod["containers"]
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"] is True
        assert security["allowPrivilegeEscalation"] is False
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["requests"]
        assert container["resources"]["limits"]["memory"]
    assert seen == {*PODS, "gateway", "migrate", "test"}


def test_every_component_has_three_probes_and_is_spread() -> None:
    for name, pod in pods(rendered(WHOLE)):
        if name in {"migrate", "test"}:
            continue
        [container] = pod["containers"]
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            assert container[probe], (name, probe)
        assert [each["topologyKey"] for each in pod["topologySpreadConstraints"]] == [
            "topology.kubernetes.io/zone",
            "kubernetes.io/hostname",
        ]


def test_one_beat_and_no_pod_is_taken_before_its_successor_is_ready() -> None:
    resources = rendered(WHOLE)
    for component in {*PODS, "gateway"} - {"beat"}:
        strategy = resources["Deployment", component]["spec"]["strategy"]
        assert strategy["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
        assert resources["PodDisruptionBudget", component]["spec"]["maxUnavailable"] == 1
    beat = resources["Deployment", "beat"]["spec"]
    assert (beat["replicas"], beat["strategy"]) == (1, {"type": "Recreate"})


def test_whoever_scales_a_component_alone_says_how_many_there_are() -> None:
    resources = rendered(WHOLE)
    for component in ("web", "worker", "sender"):
        assert "replicas" not in resources["Deployment", component]["spec"]
    assert resources["Deployment", "realtime"]["spec"]["replicas"] == 2
    assert resources["HorizontalPodAutoscaler", "web"]
    for component in ("worker", "sender"):
        scaled = resources["ScaledObject", component]["spec"]
        assert scaled["scaleTargetRef"]["name"] == f"b-balcao-{component}"
        [trigger] = scaled["triggers"]
        assert trigger["type"] == "postgresql"
        depth = (CHART / "files" / f"{component}-depth.sql").read_text()
        assert trigger["metadata"]["query"] == depth.strip()


def test_media_are_in_a_shared_volume_or_in_the_store() -> None:
    resources = rendered(NEEDED)
    assert resources["PersistentVolumeClaim", "media"]["spec"]["accessModes"] == ["ReadWriteMany"]
    volumes = resources["Deployment", "web"]["spec"]["template"]["spec"]["volumes"]
    claimed = {"name": "data", "persistentVolumeClaim": {"claimName": "b-balcao-media"}}
    assert claimed in volumes
    resources = rendered(S3)
    assert ("PersistentVolumeClaim", "media") not in resources
    volumes = resources["Deployment", "web"]["spec"]["template"]["spec"]["volumes"]
    assert {"name": "data", "emptyDir": {}} in volumes


def test_processes_are_told_what_the_chart_knows() -> None:
    resources = rendered(WHOLE)
    said = environment(resources, "worker")
    assert said["ALLOWED_HOSTS"] == "balcao.example.com,localhost,127.0.0.1,$(POD_IP)"
    assert said["TRUSTED_PROXIES"] == "127.0.0.1,10.0.0.0/8"
    assert said["BALCAO_URL"] == "http://b-balcao-web:8000"
    assert said["WORKER_THREADS"] == "30"
    assert said["METRICS_BIND"] == "0.0.0.0:9100"
    for component in ("web", "realtime"):
        pod = resources["Deployment", component]["spec"]["template"]["spec"]
        drained = int(environment(resources, component)["DRAIN_SECONDS"])
        [_, before] = pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
        seconds = int(before) + drained + ENDING_DRAINED_SECONDS
        assert pod["terminationGracePeriodSeconds"] > seconds
    [worker] = resources["Deployment", "worker"]["spec"]["template"]["spec"]["containers"]
    assert {"--concurrency=30", "--queues=celery"} <= set(worker["command"])
    assert said["ALIVE_FILE"] in worker["livenessProbe"]["exec"]["command"][2].replace(
        "/tmp -name '", "/tmp/"
    )
    [sender] = resources["Deployment", "sender"]["spec"]["template"]["spec"]["containers"]
    assert "--queues=sending" in sender["command"]


def test_every_service_and_policy_finds_its_pods() -> None:
    resources = rendered(WHOLE)
    labels = {
        name: each["spec"]["template"]["metadata"]["labels"]
        for (kind, name), each in resources.items()
        if kind == "Deployment"
    }
    selectors = [
        (name, each["spec"]["selector"])
        for (kind, name), each in resources.items()
        if kind == "Service"
    ] + [
        (name, each["spec"]["podSelector"]["matchLabels"])
        for (kind, name), each in resources.items()
        if kind == "NetworkPolicy"
    ]
    assert {name.removesuffix("-pods") for name, _ in selectors} == set(labels)
    for name, selector in selectors:
        found = [each for each, said in labels.items() if selector.items() <= said.items()]
        assert found == [name.removesuffix("-pods")]


def test_figures_are_read_of_each_pod_once() -> None:
    resources = rendered(WHOLE)
    monitor = resources["ServiceMonitor", "b-balcao"]["spec"]
    wanted = monitor["selector"]["matchLabels"]
    [among] = monitor["selector"]["matchExpressions"]
    ports = {each["port"] for each in monitor["endpoints"]}
    found = [
        each["spec"]["selector"]["app.kubernetes.io/component"]
        for (kind, _), each in resources.items()
        if kind == "Service"
        and wanted.items() <= each["metadata"]["labels"].items()
        and each["metadata"]["labels"][among["key"]] in among["values"]
        and {port["name"] for port in each["spec"]["ports"]} <= ports
    ]
    assert sorted(found) == ["realtime", "sender", "web", "worker"]
    for component in found:
        [rule] = resources["NetworkPolicy", component]["spec"]["ingress"]
        assert {"namespaceSelector": {}} in rule["from"]
    assert "ingress" not in rendered(NEEDED)["NetworkPolicy", "worker"]["spec"]


def test_nginx_is_composes_own_with_its_places_changed() -> None:
    said = rendered(NEEDED)["ConfigMap", "front"]["data"]
    compose = (ROOT / "docker" / "nginx.conf").read_text()
    ours, theirs = compose.splitlines(), said["nginx.conf"].splitlines()
    new = [line.strip() for line in theirs if line not in ours]
    assert new == [
        "include /tmp/resolver.conf;",
        "server b-balcao-web-pods.prod.svc.cluster.local:8000 resolve max_fails=0;",
        "server b-balcao-realtime-pods.prod.svc.cluster.local:8000 resolve max_fails=0;",
        "include /tmp/proxies.conf;",
        "listen 8080 default_server;",
    ]
    assert len(theirs) == len(ours)
    assert said["proxies.sh"].strip() == (ROOT / "docker" / "proxies.sh").read_text().strip()


def test_nobody_is_led_past_the_front() -> None:
    resources = rendered(WHOLE)
    [rule] = resources["Ingress", "b-balcao"]["spec"]["rules"]
    assert rule["host"] == "balcao.example.com"
    [path] = rule["http"]["paths"]
    assert path["backend"]["service"]["name"] == "b-balcao-front"
    [route] = resources["HTTPRoute", "b-balcao"]["spec"]["rules"]
    assert route["backendRefs"] == [{"name": "b-balcao-front", "port": 80}]
    froms = resources["NetworkPolicy", "front"]["spec"]["ingress"][0]["from"]
    assert {"namespaceSelector": {"matchLabels": {"name": "ingress"}}} in froms


def test_tables_are_changed_before_any_pod_of_the_new_version_starts() -> None:
    job = rendered(NEEDED)["Job", "migrate"]
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    [container] = job["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["python", "manage.py", "migrate", "--no-input"]
    # Nothing of it waits for what is made after it.
    [data] = [v for v in job["spec"]["template"]["spec"]["volumes"] if v["name"] == "data"]
    assert data == {"name": "data", "emptyDir": {}}


def test_the_notes_name_what_is_there() -> None:
    with helm_python.Chart.load(CHART) as chart:
        files = chart.render(NEEDED, name="b", namespace="prod")
    [notes] = [text for name, text in files.items() if name.endswith("NOTES.txt")]
    assert re.search(r"-n prod exec -it deploy/b-balcao-web -- python manage\.py bootstrap", notes)
