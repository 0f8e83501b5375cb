package secret

import "bytes"

// vendorRules know tokens by a prefix or form that their maker gave them. Where two find the same, the upper one names
// it. The lengths are those that the makers document or that tokens in use have; where they vary, the pattern is open
// at the end: a token of an unknown length is withheld too, and no checksum is asked for.
var vendorRules = []rule{
	// Models
	{name: "anthropic-api-key", keywords: []string{"sk-ant-"}, pattern: `sk-ant-[A-Za-z0-9_-]{20,}`, least: 27, full: 90, loose: true},
	{name: "openrouter-api-key", keywords: []string{"sk-or-"}, pattern: `sk-or-(?:v1-)?[A-Za-z0-9]{32,}`, least: 38, full: 73},
	{name: "openai-api-key", keywords: []string{"sk-"}, pattern: `sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{20,}`, least: 23, full: 60, check: notWords},
	{name: "huggingface-token", keywords: []string{"hf_", "api_org_"}, pattern: `(?:hf|api_org)_[A-Za-z0-9]{30,}`, least: 33, full: 37, check: notWords},
	{name: "groq-api-key", keywords: []string{"gsk_"}, pattern: `gsk_[A-Za-z0-9]{40,}`, least: 44, full: 56},
	{name: "xai-api-key", keywords: []string{"xai-"}, pattern: `xai-[A-Za-z0-9]{40,}`, least: 44, full: 84, check: notWords},
	{name: "perplexity-api-key", keywords: []string{"pplx-"}, pattern: `pplx-[A-Za-z0-9]{32,}`, least: 37, full: 53},
	{name: "replicate-api-token", keywords: []string{"r8_"}, pattern: `r8_[A-Za-z0-9]{37,}`, least: 40},
	{name: "nvidia-api-key", keywords: []string{"nvapi-"}, pattern: `nvapi-[A-Za-z0-9_-]{40,}`, least: 46, full: 70},
	{name: "langsmith-api-key", keywords: []string{"lsv2_"}, pattern: `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, least: 51},
	{name: "pinecone-api-key", keywords: []string{"pcsk_"}, pattern: `pcsk_[A-Za-z0-9_]{40,}`, least: 45, full: 74},
	{name: "tavily-api-key", keywords: []string{"tvly-"}, pattern: `tvly-[A-Za-z0-9-]{28,}`, least: 33, check: notWords},
	{name: "fireworks-api-key", keywords: []string{"fw_"}, pattern: `fw_[A-Za-z0-9]{22,}`, least: 25, check: notWords},
	{name: "elevenlabs-api-key", keywords: []string{"sk_"}, pattern: `sk_[a-f0-9]{48}`, least: 51, exact: true},
	{name: "cerebras-api-key", keywords: []string{"csk-"}, pattern: `csk-[a-z0-9]{48}`, least: 52, exact: true},

	// Clouds
	{name: "aws-access-key-id", keywords: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, pattern: `A(?:KI|SI|BI|CC)A[A-Z0-9]{16}`, least: 20, exact: true},
	{
		name: "aws-secret-key", keywords: []string{"secret_access_key", "secretaccesskey", "secret access key", "aws_secret", "aws secret"}, anyCase: true, loose: true, most: 140,
		pattern: `(?is:(?:secret.?access.?key|aws.?secret(?:.?access)?(?:.?key)?)["'\x60*]{0,3}[ \t]{0,4}(?:[=:|]|=>|:=|,| )[ \t]{0,4}["'\x60*|]{0,3}[ \t]{0,2}([a-z0-9/+]{40}))`, exact: true, check: notWords,
	},
	{name: "aws-bedrock-api-key", keywords: []string{"ABSK"}, pattern: `ABSK[A-Za-z0-9+/]{100,}={0,2}`, least: 104},
	{name: "google-api-key", keywords: []string{"AIza"}, pattern: `AIza[A-Za-z0-9_-]{35}`, least: 39},
	{name: "google-oauth-client-secret", keywords: []string{"GOCSPX-"}, pattern: `GOCSPX-[A-Za-z0-9_-]{20,}`, least: 27, full: 35, loose: true},
	{name: "google-oauth-access-token", keywords: []string{"ya29."}, pattern: `ya29\.[A-Za-z0-9_.-]{30,}`, least: 35, full: 120},
	{name: "google-oauth-refresh-token", keywords: []string{"1//0"}, pattern: `1//0[A-Za-z0-9_-]{40,}`, least: 44, full: 60},
	{
		name: "azure-storage-key", keywords: []string{"accountkey", "sharedaccesskey"}, anyCase: true, loose: true, most: 140,
		pattern: `(?i:(?:accountkey|sharedaccesskey)["'\x60]?[ \t]{0,3}[=:][ \t]{0,3}["'\x60]?([a-z0-9+/]{40,90}={0,2}))`,
	},
	{name: "azure-sas-signature", keywords: []string{"?sig=", "&sig=", ";sig="}, loose: true, pattern: `[?&;]sig=([A-Za-z0-9+/_-]{30,}={0,2})`, least: 35},
	{name: "azure-client-secret", keywords: []string{"Q~"}, before: 4, pattern: `[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`, least: 33, exact: true},
	{name: "azure-devops-token", keywords: []string{"AZDO"}, before: 76, pattern: `[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}`, least: 8, exact: true},
	{name: "azure-api-key", keywords: []string{"JQQJ9"}, before: 52, pattern: `[A-Za-z0-9]{52}JQQJ9[9D][A-Za-z0-9]{26}`, least: 32, exact: true},
	{name: "alibaba-access-key-id", keywords: []string{"LTAI"}, pattern: `LTAI[A-Za-z0-9]{12,30}`, least: 16, full: 24, exact: true, check: notWords},
	{name: "tencent-secret-id", keywords: []string{"AKID"}, pattern: `AKID[A-Za-z0-9]{32}`, least: 36, exact: true},
	{name: "digitalocean-token", keywords: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, pattern: `do[opr]_v1_[a-f0-9]{60,}`, least: 67, full: 71, loose: true},
	{name: "cloudflare-token", keywords: []string{"v1.0-"}, pattern: `v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}`, least: 131, full: 176},
	{name: "cloudflare-token", keywords: []string{"cfat_", "cfut_", "cfk_"}, pattern: `cf(?:at|ut|k)_[A-Za-z0-9_-]{30,}`, least: 34},
	{name: "heroku-api-key", keywords: []string{"HRKU-"}, pattern: `HRKU-[A-Za-z0-9_-]{36,}`, least: 41, full: 65},
	{name: "fly-token", keywords: []string{"fo1_", "fm1_", "fm2_", "fm1r_", "fm1a_"}, pattern: `f[om][12][ar]?_[A-Za-z0-9+/_-]{40,}={0,3}`, least: 44, full: 47},
	{name: "vercel-token", keywords: []string{"vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"}, pattern: `(?:vc[piark]|vercel_blob_rw)_[A-Za-z0-9_]{24,}`, least: 28, check: notWords},
	{name: "netlify-token", keywords: []string{"nfp_"}, pattern: `nfp_[A-Za-z0-9]{36,}`, least: 40},
	{name: "supabase-token", keywords: []string{"sbp_"}, pattern: `sbp_[a-f0-9]{40,}`, least: 44},
	{name: "supabase-secret-key", keywords: []string{"sb_secret_"}, pattern: `sb_secret_[A-Za-z0-9_-]{20,}`, least: 30, full: 41},
	{name: "planetscale-token", keywords: []string{"pscale_"}, pattern: `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,}`, least: 42, full: 53},
	{name: "databricks-token", keywords: []string{"dapi"}, pattern: `dapi[a-f0-9]{32}(?:-\d)?`, least: 36, exact: true},

	// Code hosting and packages
	{name: "github-token", keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, pattern: `gh[pousr]_[A-Za-z0-9]{30,}`, least: 34, full: 40, loose: true},
	{name: "github-token", keywords: []string{"github_pat_"}, pattern: `github_pat_[A-Za-z0-9_]{36,}`, least: 47, full: 93, loose: true},
	{
		name: "gitlab-token", keywords: []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glrtr-", "glwt-"},
		pattern: `gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{7,9})?`, least: 25, full: 25,
	},
	{name: "bitbucket-token", keywords: []string{"ATBB"}, pattern: `ATBB[A-Za-z0-9_=.-]{24,}`, least: 28, full: 36, check: notWords},
	{name: "atlassian-token", keywords: []string{"ATATT3", "ATCTT3"}, pattern: `AT[AC]TT3[A-Za-z0-9_=-]{60,}`, least: 66, full: 190},
	{name: "circleci-token", keywords: []string{"CCIPAT_", "CCIPRJ_"}, pattern: `CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}`, least: 70},
	{name: "buildkite-token", keywords: []string{"bkua_", "bkaj_", "bkct_"}, pattern: `bk(?:ua|aj|ct)_[A-Za-z0-9]{40}`, least: 45},
	{name: "sourcegraph-token", keywords: []string{"sgp_"}, pattern: `sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}`, least: 44},
	{name: "sonar-token", keywords: []string{"squ_", "sqp_", "sqa_"}, pattern: `sq[upa]_[a-z0-9]{40}`, least: 44, exact: true},
	{name: "npm-token", keywords: []string{"npm_"}, pattern: `npm_[A-Za-z0-9]{36,}`, least: 40, check: notWords},
	{name: "npm-token", keywords: []string{"_authToken"}, loose: true, pattern: `_authToken[ \t]{0,2}=[ \t]{0,2}["']?([A-Za-z0-9+/=_.-]{20,})`, most: 300},
	{name: "pypi-token", keywords: []string{"pypi-Ag"}, pattern: `pypi-Ag[A-Za-z0-9_-]{50,}`, least: 57, full: 160, loose: true},
	{name: "rubygems-api-key", keywords: []string{"rubygems_"}, pattern: `rubygems_[a-f0-9]{48}`, least: 57},
	{name: "crates-token", keywords: []string{"cio"}, pattern: `cio[A-Za-z0-9]{32}`, least: 35, exact: true, check: notWords},
	{name: "nuget-api-key", keywords: []string{"oy2"}, pattern: `oy2[a-z0-9]{43}`, least: 46, exact: true},
	{name: "docker-token", keywords: []string{"dckr_pat_", "dckr_oat_"}, pattern: `dckr_[po]at_[A-Za-z0-9_-]{20,}`, least: 29, full: 36},
	{name: "jfrog-token", keywords: []string{"AKC"}, pattern: `AKC[A-Za-z0-9]{60,}`, least: 63, full: 73},
	{name: "clojars-token", keywords: []string{"CLOJARS_"}, pattern: `CLOJARS_[a-z0-9]{60}`, least: 68},

	// Chat
	{
		name: "slack-token", keywords: []string{"xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxe-", "xoxe.xox", "xoxc-", "xoxd-"}, loose: true,
		pattern: `xox(?:e\.xox)?[abceopsrd]-[A-Za-z0-9%-]{20,}`, least: 25, full: 50,
	},
	{name: "slack-token", keywords: []string{"xapp-"}, pattern: `xapp-\d-[A-Za-z0-9-]{20,}`, least: 27, full: 90, loose: true},
	{name: "slack-webhook", keywords: []string{"hooks.slack.com"}, pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}`, least: 40, loose: true},
	{name: "discord-webhook", keywords: []string{"/api/webhooks/"}, pattern: `/api/webhooks/\d{15,22}/[A-Za-z0-9_-]{50,}`, least: 80, loose: true},
	{name: "teams-webhook", keywords: []string{".webhook.office.com/webhookb2/"}, pattern: `\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,}`, least: 90, loose: true},
	{name: "telegram-bot-token", keywords: []string{":AA"}, before: 10, pattern: `\d{8,10}:AA[A-Za-z0-9_-]{32,33}`, least: 35, exact: true},

	// Payment and trade
	{name: "stripe-key", keywords: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"}, pattern: `[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}`, least: 24, full: 32, loose: true},
	{name: "stripe-webhook-secret", keywords: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/=]{24,}`, least: 30, full: 38},
	{name: "square-token", keywords: []string{"sq0"}, pattern: `sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}`, least: 29, full: 50},
	{name: "square-token", keywords: []string{"EAAA"}, pattern: `EAAA[A-Za-z0-9_-]{56,62}`, least: 60, exact: true, check: notWords},
	{name: "facebook-token", keywords: []string{"EAA"}, pattern: `EAA[A-Za-z0-9]{90,}`, least: 93, check: notWords},
	{name: "paypal-token", keywords: []string{"access_token$"}, pattern: `access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`, least: 70, loose: true},
	{name: "shopify-token", keywords: []string{"shpat_", "shpca_", "shppa_", "shpss_", "shpua_"}, pattern: `shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}`, least: 38, loose: true},
	{name: "plaid-token", keywords: []string{"access-sandbox-", "access-development-", "access-production-"}, pattern: `access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`, least: 50},
	{name: "razorpay-key", keywords: []string{"rzp_live_", "rzp_test_"}, pattern: `rzp_(?:live|test)_[A-Za-z0-9]{14,}`, least: 23},

	// Mail and messages
	{name: "twilio-api-key", keywords: []string{"SK"}, pattern: `SK[a-f0-9]{32}`, least: 34, exact: true},
	{name: "sendgrid-api-key", keywords: []string{"SG."}, pattern: `SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,}`, least: 50, full: 69},
	{name: "mailgun-api-key", keywords: []string{"key-"}, pattern: `key-[a-f0-9]{32}`, least: 36, exact: true},
	{name: "mailchimp-api-key", keywords: []string{"-us"}, before: 32, pattern: `[a-f0-9]{32}-us\d{1,2}`, least: 4, exact: true},
	{name: "brevo-api-key", keywords: []string{"xkeysib-", "xsmtpsib-"}, pattern: `x(?:keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16}`, least: 89},
	{name: "resend-api-key", keywords: []string{"re_"}, pattern: `re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,30}`, least: 30, exact: true, check: notWords},

	// Operations and apps
	{name: "vault-token", keywords: []string{"hvs.", "hvb.", "hvr."}, pattern: `hv[sbr]\.[A-Za-z0-9_-]{20,}`, least: 24, full: 95, check: notWords},
	{name: "terraform-token", keywords: []string{".atlasv1."}, before: 14, pattern: `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}`, least: 69},
	{name: "doppler-token", keywords: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, pattern: `dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}`, least: 46},
	{name: "onepassword-token", keywords: []string{"ops_ey"}, pattern: `ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}`, least: 107, full: 250},
	{name: "onepassword-secret-key", keywords: []string{"A3-"}, pattern: `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}`, least: 38, exact: true},
	{name: "age-secret-key", keywords: []string{"AGE-SECRET-KEY-"}, pattern: `AGE-SECRET-KEY-(?:PQ-)?1[A-Za-z0-9]{50,}`, least: 66, full: 74, loose: true},
	{name: "tailscale-key", keywords: []string{"tskey-"}, pattern: `tskey-[a-z]+-[A-Za-z0-9-]{16,}`, least: 24, full: 55, check: notWords},
	{name: "grafana-token", keywords: []string{"glsa_"}, pattern: `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}`, least: 46},
	{name: "grafana-token", keywords: []string{"glc_"}, pattern: `glc_[A-Za-z0-9+/]{32,}={0,2}`, least: 36, full: 84},
	{name: "newrelic-key", keywords: []string{"NRAK-", "NRAA-", "NRRA-"}, pattern: `NR(?:AK|AA|RA)-[A-Z0-9]{27}`, least: 32},
	{name: "sentry-token", keywords: []string{"sntrys_"}, pattern: `sntrys_[A-Za-z0-9+/=_]{60,}`, least: 67, full: 170},
	{name: "sentry-token", keywords: []string{"sntryu_"}, pattern: `sntryu_[a-f0-9]{64}`, least: 71},
	{name: "dynatrace-token", keywords: []string{"dt0"}, pattern: `dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}`, least: 79},
	{name: "honeycomb-key", keywords: []string{"hcaik_", "hcaic_", "hcamk_"}, pattern: `hca[mi][kc]_[A-Za-z0-9]{26,}`, least: 32},
	{name: "posthog-key", keywords: []string{"phx_"}, pattern: `phx_[A-Za-z0-9]{40,}`, least: 44},
	{name: "pulumi-token", keywords: []string{"pul-"}, pattern: `pul-[a-f0-9]{40}`, least: 44, exact: true},
	{name: "notion-token", keywords: []string{"ntn_"}, pattern: `ntn_\d{8,}[A-Za-z0-9]{30,}`, least: 42, full: 50},
	{name: "notion-token", keywords: []string{"secret_"}, pattern: `secret_[A-Za-z0-9]{43}`, least: 50, exact: true, check: notWords},
	{name: "linear-api-key", keywords: []string{"lin_api_", "lin_oauth_"}, pattern: `lin_(?:api|oauth)_[A-Za-z0-9]{32,}`, least: 40, full: 48},
	{name: "airtable-token", keywords: []string{"pat"}, pattern: `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`, least: 82, exact: true},
	{name: "figma-token", keywords: []string{"figd_", "figo_", "figu_"}, pattern: `fig[dou]_[A-Za-z0-9_-]{36,}`, least: 41, full: 45},
	{name: "postman-api-key", keywords: []string{"PMAK-"}, pattern: `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, least: 64},
	{name: "hubspot-token", keywords: []string{"pat-na", "pat-eu"}, pattern: `pat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`, least: 44},
	{name: "contentful-token", keywords: []string{"CFPAT-"}, pattern: `CFPAT-[A-Za-z0-9_-]{40,}`, least: 46},
	{name: "mapbox-secret-token", keywords: []string{"sk.eyJ"}, pattern: `sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}`, least: 50},
	{name: "dropbox-token", keywords: []string{"sl."}, pattern: `sl\.(?:u\.)?[A-Za-z0-9_=-]{130,}`, least: 133},
	{name: "typeform-token", keywords: []string{"tfp_"}, pattern: `tfp_[A-Za-z0-9_.=-]{50,}`, least: 54, check: notWords},
}

// notSample refuses what documentation puts in the place of a token.
func notSample(token []byte) bool {
	lower := bytes.ToLower(token)
	for _, word := range []string{"example", "xxxxxx", "******", "......", "your-", "your_", "placeholder", "000000000000"} {
		if bytes.Contains(lower, []byte(word)) {
			return false
		}
	}
	return entropy(token) >= 2.5
}

// notWords is for prefixes that ordinary names begin with too.
func notWords(token []byte) bool { return notSample(token) && looksRandom(token) }
