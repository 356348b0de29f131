{{- define "balcao.name" -}}
{{ contains "balcao" .Release.Name | ternary .Release.Name (printf "%s-balcao" .Release.Name) | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "balcao.selector" -}}
app.kubernetes.io/name: balcao
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "balcao.labels" -}}
{{ include "balcao.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: balcao
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "balcao.image" -}}
{{- $image := .image -}}
{{- if $image.digest -}}
{{ printf "%s@%s" $image.repository $image.digest }}
{{- else -}}
{{ printf "%s:%s" $image.repository ($image.tag | default .root.Chart.AppVersion) }}
{{- end -}}
{{- end }}

{{- /* The variables of every process of the product; a Secret's keys come beside them. */ -}}
{{- define "balcao.environment" -}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- if not .Values.env.ALLOWED_HOSTS }}
- name: ALLOWED_HOSTS
  value: {{ printf "%s,localhost,127.0.0.1,$(POD_IP)" (include "balcao.host" .) }}
{{- end }}
- name: TRUSTED_PROXIES
  value: {{ join "," (prepend .Values.trustedProxies "127.0.0.1") }}
- name: BALCAO_URL
  value: http://{{ include "balcao.name" . }}-web:8000
- name: WEB_BIND
  value: 0.0.0.0:8000
- name: DRAIN_SECONDS
  value: "10"
{{- end }}

{{- define "balcao.host" -}}
{{ (urlParse .Values.env.PUBLIC_URL).host | regexFind "^[^:]+" }}
{{- end }}

{{- define "balcao.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "balcao.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "balcao.dataVolume" -}}
- name: data
{{- if .Values.env.S3_BUCKET }}
  emptyDir: {}
{{- else }}
  persistentVolumeClaim:
    claimName: {{ .Values.media.existingClaim | default (printf "%s-media" (include "balcao.name" .)) }}
{{- end }}
{{- end }}

{{- /* A probe of a process that writes a file again and again; no program is started for it. */ -}}
{{- define "balcao.fileProbe" -}}
exec: {command: [sh, -c, "find /tmp -name '{{ .name }}*' -mmin -{{ .minutes }} | grep -q ."]}
{{- end }}
