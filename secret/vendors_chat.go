package secret

// chatVendors carry messages and mail.
var chatVendors = []vendor{
	{name: "slack-token", shapes: "xox(b|p|a|o|s|r|e|c|d)-{k10+50} xoxe.xox(b|p)-{k20+160} xapp-{d1}-{b20+90}", loose: true, check: hasDigit},
	{name: "slack-webhook", shapes: "hooks.slack.com/(services|workflows|triggers)/{p20+44}", loose: true},
	{name: "discord-webhook", shapes: "/api/webhooks/{d15-22}/{b50+68}", loose: true},
	{name: "teams-webhook", shapes: ".webhook.office.com/webhookb2/{y60+150} outlook.office.com/webhook/{y60+150}", loose: true},
	{name: "telegram-bot-token", shapes: "{d6-12}:A{b33-34}", check: notWords},
	{name: "feishu-webhook", shapes: "/open-apis/bot/v2/hook/{b30+36}", loose: true},
	{name: "wecom-webhook", shapes: "/cgi-bin/webhook/send?key=«{uuid}»", loose: true},
	{name: "zapier-webhook", shapes: "hooks.zapier.com/hooks/catch/{p14+16}", loose: true},
	{name: "make-webhook", shapes: ".make.com/«{a32}»", loose: true, check: notWords},
	{name: "ifttt-webhook-key", shapes: "/with/key/«{b20+22}»", loose: true, check: notWords},
	{name: "tines-webhook", shapes: ".tines.com/webhook/«{a32}/{a32}»", loose: true},
	{name: "matrix-token", shapes: "syt_{b8+20}_{A20}_{A6} (mat|mar|mct|mcr)_{A20+30}_{A6}", check: notWords},
	{name: "intercom-token", shapes: "dG9rO{s40+55}"},
	{name: "telnyx-key", shapes: "KEY0{b50+54}", check: notWords},
	{name: "pubnub-key", shapes: "(pub|sub)-c-{guid} sec-c-{s40+48}"},
	{name: "ntfy-token", shapes: "tk_{a29}", check: notWords},
	{name: "onesignal-key", shapes: "os_v2_(app|org)_{a80+104}"},
	{name: "courier-key", shapes: "(pk|dk)_(prod|test)_{V28}"},

	{name: "twilio-api-key", shapes: "SK{h32}"},
	{name: "sendgrid-api-key", shapes: "SG.{b16-32}.{b30+43}"},
	{name: "mailgun-api-key", shapes: "(key|pubkey)-{h32}"},
	{name: "mailgun-api-key", shapes: "(key|pubkey)-{a32}", check: notWords},
	{name: "mailchimp-api-key", shapes: "{h32}-us{d1-3}"},
	{name: "mandrill-api-key", shapes: "md-{b22}", check: notWords},
	{name: "brevo-api-key", shapes: "x(key|smtp)sib-{h64}-{A16}"},
	{name: "resend-api-key", shapes: "re_{A6-10}_{A20-30}", check: notWords},
	{name: "mailersend-token", shapes: "mlsn.{h64}"},
	{name: "klaviyo-key", shapes: "pk_({A6}_|){h34}", check: notWords},
	{name: "salesblink-key", shapes: "key-{A64}", check: notWords},
}

// hasDigit is for prefixes that no name begins with, but words do.
func hasDigit(token []byte) bool { return notSample(token) && shapeOf(token).digits > 0 }
