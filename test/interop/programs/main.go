// A read, a write with its replay, and a refusal, by oapi-codegen. The session's key signs each proof (RFC 9449).
package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"interop/api"
)

type session struct {
	BaseURL          string          `json:"base_url"`
	AccessToken      string          `json:"access_token"`
	PrivateKeyPem    string          `json:"private_key_pem"`
	PublicJwk        json.RawMessage `json:"public_jwk"`
	IdempotencyKey   string          `json:"idempotency_key"`
	UnknownOperation uuid.UUID       `json:"unknown_operation"`
}

type dpop struct {
	session session
	key     *ecdsa.PrivateKey
	nonce   string
}

func (d *dpop) Do(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body)
	}
	response, err := d.send(request, body)
	if err == nil && strings.Contains(response.Header.Get("WWW-Authenticate"), "use_dpop_nonce") {
		response.Body.Close()
		return d.send(request, body)
	}
	return response, err
}

func (d *dpop) send(request *http.Request, body []byte) (*http.Response, error) {
	proof, err := d.proof(request)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "DPoP "+d.session.AccessToken)
	request.Header.Set("DPoP", proof)
	request.Body = io.NopCloser(bytes.NewReader(body))
	response, err := http.DefaultClient.Do(request)
	if err == nil && response.Header.Get("DPoP-Nonce") != "" {
		d.nonce = response.Header.Get("DPoP-Nonce")
	}
	return response, err
}

func (d *dpop) proof(request *http.Request) (string, error) {
	ath := sha256.Sum256([]byte(d.session.AccessToken))
	claims := map[string]any{
		"htm": request.Method,
		"htu": request.URL.Scheme + "://" + request.URL.Host + request.URL.Path,
		"ath": encode(ath[:]),
		"jti": uuid.NewString(),
		"iat": time.Now().Unix(),
	}
	if d.nonce != "" {
		claims["nonce"] = d.nonce
	}
	header := map[string]any{"typ": "dpop+jwt", "alg": "ES256", "jwk": d.session.PublicJwk}
	text := encode(toJSON(header)) + "." + encode(toJSON(claims))
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, d.key, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature), nil
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func toJSON(value any) []byte {
	text, err := json.Marshal(value)
	check(err)
	return text
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func refused(status int, body []byte) error { return fmt.Errorf("refused with %d: %s", status, body) }

func main() {
	var given session
	text, err := os.ReadFile(os.Getenv("SESSION_FILE"))
	check(err)
	check(json.Unmarshal(text, &given))
	block, _ := pem.Decode([]byte(given.PrivateKeyPem))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	signer := &dpop{session: given, key: key.(*ecdsa.PrivateKey)}
	client, err := api.NewClientWithResponses(given.BaseURL, api.WithHTTPClient(signer))
	check(err)

	ctx := context.Background()
	limit := int32(10)
	read, err := client.ListBeneficiariesWithResponse(ctx, &api.ListBeneficiariesParams{Limit: &limit})
	check(err)
	if read.JSON200 == nil {
		check(refused(read.StatusCode(), read.Body))
	}
	write := func() *api.Operation {
		answer, err := client.CreateBeneficiaryWithResponse(ctx,
			&api.CreateBeneficiaryParams{IdempotencyKey: given.IdempotencyKey},
			api.CreateBeneficiaryRequest{
				Name:           "Rent",
				Country:        "PT",
				Currency:       "EUR",
				PayoutSchemaId: "sepa_pt_eur",
				Details:        map[string]string{"iban": "PT50000201231234567890154"},
			})
		check(err)
		if answer.JSON202 == nil {
			check(refused(answer.StatusCode(), answer.Body))
		}
		return answer.JSON202
	}
	first, second := write(), write()
	unknown, err := client.GetOperationWithResponse(ctx, given.UnknownOperation, &api.GetOperationParams{})
	check(err)
	if unknown.ApplicationproblemJSON404 == nil {
		check(refused(unknown.StatusCode(), unknown.Body))
	}
	fmt.Println(string(toJSON(map[string]any{
		"beneficiaries": len(read.JSON200.Items),
		"operation":     first.Id,
		"replayed":      second.Id,
		"kind":          first.Kind,
		"state":         second.State,
		"problem":       unknown.ApplicationproblemJSON404.Code,
	})))
}
